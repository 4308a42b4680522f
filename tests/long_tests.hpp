// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace regroup {

/// Whether tests try as many cases as `tests/run.sh --all` has the time for.
inline bool long_tests() { return std::getenv("REGROUP_LONG_TESTS") != nullptr; }

}  // namespace regroup
