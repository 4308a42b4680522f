// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "engines/mpi/engine.hpp"
#include "engines/mpi/processes.hpp"
#include "kernel/chains/state_files.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// Returns the number of items that each chain has left of `items`, according to `files`. Stores
/// the executed items, reports and failures of the chains in `walkers`. Throws UserError if a state
/// is damaged, or belongs to other chains or to a longer chain.
Items read_states(const StateFiles& files, const Items& items, WalkerSource& walkers);

/// Makes the walkers of `real` continue from `files`, and save their states there at their end and
/// after every `save_every` items. Collective over `processes`; only rank 0 reads. `files` must
/// outlive the walkers, whose `report_every` must be set. Failed chains stay failed. Returns the
/// items that each chain has left. Throws std::invalid_argument on all ranks if a state is damaged,
/// or belongs to other chains or to a longer chain.
Items continue_from(const StateFiles& files, std::int64_t save_every, const Items& items,
                    RealRun& real, Processes& processes);

/// Returns the number of items that earlier runs executed for all chains of `real`.
std::int64_t resumed_items(const RealRun& real);

}  // namespace regroup
