// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/starting_groups.hpp"
#include "regroup/named.hpp"

namespace regroup {

/// Returns the initial walker groups of a run: the communicators of `definitions` without a parent.
/// Throws UserError with file and line if a member is given by processor, a rank up to the highest
/// is in no group or in two, or there are more than `most_ranks` ranks.
StartingGroups walker_groups(const Definitions& definitions, int most_ranks);

}  // namespace regroup
