// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/check.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "kernel/files/failures.hpp"

namespace regroup {

void check(bool condition, std::string_view what, std::source_location where) {
  if (condition) return;
  report_failure(fmt::format("internal error: {} ({}:{})", what, where.file_name(), where.line()));
  std::abort();
}

}  // namespace regroup
