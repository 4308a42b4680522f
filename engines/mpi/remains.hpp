// SPDX-License-Identifier: BSD-3-Clause
//
// The remains of a run after a loss of ranks, and how the survivors agree on them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/mpi/black_box.hpp"
#include "engines/mpi/collect.hpp"
#include "engines/mpi/world.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/recovery.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// The last record of a lost rank.
struct LastRecord {
  RankResult result;
  int rank = 0;
  bool timed_out = false;  ///< whether its guard killed it because an item took too long
  std::string reason;      ///< cause of the loss
};

/// Serializes the contents of a black box, and back. Returns nothing if there is no record.
std::vector<std::byte> record_of(const BlackBox& box);
std::optional<LastRecord> last_record(std::span<const std::byte> bytes);

/// Completes the last lives of the rank `lost` from those of other ranks, since its group may have
/// gone on without it before the loss was noticed. `results`: by rank.
void complete_last_lives(std::map<int, RankResult>& results, int lost);

/// Drops phases of a run on `ranks` ranks that not all ranks began, since more were lost meanwhile.
/// No items were executed in such a phase.
void drop_void_phases(std::map<int, RankResult>& results, int ranks);

/// Returns the last groups of the ranks of `world`, and the number of items of each chain that not
/// all members of its last group executed, by all known `results`. Ranks and walkers are those of
/// `run`, the whole run.
Remains remains_of(const RunInput& run, const World& world,
                   const std::map<int, RankResult>& results);

/// Returns the failure of the chain whose item the rank was executing, if the item timed out.
std::optional<ChainFailure> failure_of(const LastRecord& lost, const RunInput& run);

/// The remains as ranks send them to each other, without the lost ranks.
struct RemainsOfRun {
  Remains remains;
  std::vector<std::int64_t> executed_before;  ///< by chain, in saved states; may be empty
  std::vector<ChainFailure> failed;
};
State packed(const RemainsOfRun& found);
/// Also sets `executed_before` and `failed` of `walkers`.
Remains unpacked_remains(std::span<const std::byte> state, WalkerSource& walkers);

/// Broadcasts `state` from rank 0 to all ranks. Collective over `world`.
void broadcast(State& state, const World& world, Tag tag);

}  // namespace regroup
