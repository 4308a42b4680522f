// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <source_location>
#include <string_view>

namespace regroup {

/// In every build: ends the process with `what` and the location if `condition` is false.
void check(bool condition, std::string_view what,
           std::source_location where = std::source_location::current());

}  // namespace regroup
