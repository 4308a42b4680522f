// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/starting_groups.hpp"
#include "regroup/named.hpp"

namespace regroup {

/// The walker groups that a run starts with, as `definitions` say: the communicators that are in no
/// other one, whatever their names. Throws UserError with file and line where a member is given by
/// its processor, or a rank from 0 to the highest is in none of them or in two, or there are more
/// than `most_ranks`.
StartingGroups walker_groups(const Definitions& definitions, int most_ranks);

}  // namespace regroup
