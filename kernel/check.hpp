// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <source_location>
#include <string_view>

namespace regroup {

/// Reports `what` with the location and aborts if `condition` is false, also in release builds.
void check(bool condition, std::string_view what,
           std::source_location where = std::source_location::current());

}  // namespace regroup
