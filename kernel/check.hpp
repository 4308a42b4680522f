// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <source_location>
#include <string_view>

namespace regroup {

/// Holds in every build: where `condition` is false this is our own mistake, and the process ends
/// with the place and `what`.
void check(bool condition, std::string_view what,
           std::source_location where = std::source_location::current());

}  // namespace regroup
