// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "engines/mpi/engine.hpp"
#include "engines/mpi/processes.hpp"
#include "kernel/chains/state_files.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// What `files` leave of `items`, those of the chains 0, 1, …; sets what they had executed and
/// reported by then, and which of them had failed. Throws UserError where a state is damaged, of
/// other chains, or of a longer one.
Items read_states(const StateFiles& files, const Items& items, WalkerSource& walkers);

/// Collective over `processes`: lets the walkers of `hands`, whose `report_every` is set, continue
/// from `files`, which outlive them, and save their states there at their end and after every
/// `save_every` items. Chains that have failed stay failed. Only rank 0 reads. Returns what is left
/// of `items`, those of the chains 0, 1, …; throws std::invalid_argument, on all ranks, where a
/// state is damaged, of other chains, or of a longer one.
Items continue_from(const StateFiles& files, std::int64_t save_every, const Items& items,
                    Hands& hands, Processes& processes);

/// Items that were executed before, of all chains of `hands`.
std::int64_t resumed_items(const Hands& hands);

}  // namespace regroup
