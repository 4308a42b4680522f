// SPDX-License-Identifier: BSD-3-Clause
#include "library/version.hpp"

#include "library/built_version.hpp"

namespace regroup {

ProgramVersion program_version() { return built; }

}  // namespace regroup
