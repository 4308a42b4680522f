// SPDX-License-Identifier: BSD-3-Clause
//
// What is left when ranks were lost, and how those that are left agree about it.
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

/// What a lost rank had written down.
struct LastRecord {
  RankResult result;
  int rank = 0;
  bool timed_out = false;  ///< its guard ended it, since an item took too long
  std::string reason;      ///< why it was lost
};

/// What a black box has, as bytes, and back; nothing where there are none.
std::vector<std::byte> record_of(const BlackBox& box);
std::optional<LastRecord> last_record(std::span<const std::byte> bytes);

/// The group of `lost` may have gone on without it before anybody noticed: then its last lives are
/// what the others know of them. `results`: by rank.
void complete_last_lives(std::map<int, RankResult>& results, int lost);

/// Drops phases of a run on `ranks` ranks that not all of their ranks began, since more were lost
/// meanwhile: nobody has executed anything then.
void drop_void_phases(std::map<int, RankResult>& results, int ranks);

/// The last groups of the ranks of `world`, and the items of each chain that were not executed by
/// all members of its last group, by the `results` of all ranks that are known; by the ranks and
/// walkers of `run`, the whole run.
Remains remains_of(const RunInput& run, const World& world,
                   const std::map<int, RankResult>& results);

/// The failure of the chain in whose item the rank was, if that took too long.
std::optional<ChainFailure> failure_of(const LastRecord& lost, const RunInput& run);

/// What ranks tell each other of them: all but who is lost.
struct RemainsOfRun {
  Remains remains;
  std::vector<std::int64_t> executed_before;  ///< of each chain, by saved states; empty without
  std::vector<ChainFailure> failed;
};
State packed(const RemainsOfRun& found);
/// Also sets what `walkers` know of their chains.
Remains unpacked_remains(std::span<const std::byte> state, WalkerSource& walkers);

/// Collective over `world`: what rank 0 has, for all.
void broadcast(State& state, const World& world, Tag tag);

}  // namespace regroup
