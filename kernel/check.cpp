// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/check.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace regroup {

void check(bool condition, std::string_view what, std::source_location where) {
  if (condition) return;
  fmt::print(stderr, "regroup: internal error: {} ({}:{})\n", what, where.file_name(),
             where.line());
  std::abort();
}

}  // namespace regroup
