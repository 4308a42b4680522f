// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/starting_groups.hpp"
#include "regroup/named.hpp"

namespace regroup {

/// The walker groups that a run starts with: the communicators of `definitions` that are in no
/// other. Throws UserError with file and line if a member is given by processor, a rank up to the
/// highest is in none or two, or there are more than `most_ranks`.
StartingGroups walker_groups(const Definitions& definitions, int most_ranks);

}  // namespace regroup
