// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace regroup {

/// Returns whether to run the additional cases of `tests/run.sh --all`.
inline bool long_tests() { return std::getenv("REGROUP_LONG_TESTS") != nullptr; }

}  // namespace regroup
