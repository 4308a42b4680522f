// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engines/mpi/world.hpp"
#include "regroup/outcome.hpp"
#include "regroup/walker.hpp"

namespace regroup {

/// What one rank knows of a run at its end.
struct RankResult {
  /// Figures of the rank; times in seconds.
  struct Figures {
    double clock_error_s = 0;
    double cpu_s = 0;
    double hand_over_s = 0;
    std::int64_t hand_over_bytes = 0;
    std::int64_t walker_communicators = 0;
    double walker_communicators_s = 0;
    int communicators_alive_max = 0;
    int communicators_left = 0;
  };

  std::vector<GroupLife> lives;  ///< of its groups, in order
  std::vector<ChainEnd> chains;  ///< that it saw end, leading their groups
  Figures figures;
  std::vector<int> phases = {};  ///< of the lives (World::phase()); none: all were in the first
  std::vector<ChainFailure> failures = {};  ///< that it saw, likewise
};

void put(std::span<const ChainFailure> failures, Packer& packer);
std::vector<ChainFailure> take_failures(Unpacker& unpacker);

std::vector<std::byte> packed(const RankResult& result);
RankResult unpacked(std::span<const std::byte> bytes);

/// Collective over `world`, under `tag`. Rank 0 gets the results of all ranks, in their order;
/// others nothing.
std::vector<RankResult> collect(const RankResult& own, const World& world, Tag tag);

/// By rank, without the ranks.
std::vector<RankResult> values_of(const std::map<int, RankResult>& results);

/// One life per group, its leader's with the extremes over its members, in the order of
/// Outcome::lives.
std::vector<GroupLife> lives_of(std::span<const RankResult> results);

/// The chains that ended, by their numbers.
std::vector<ChainEnd> chain_ends_of(std::span<const RankResult> results);

/// Leaves the first of each chain, by their numbers.
void drop_doubles(std::vector<ChainFailure>& failures);

/// The chains that failed, `before` and in the run, by their numbers.
std::vector<ChainFailure> failures_of(std::span<const RankResult> results,
                                      std::span<const ChainFailure> before);

/// The largest figure, or the sum of all.
template <class Number>
Number largest(std::span<const RankResult> results, Number RankResult::Figures::*figure) {
  Number most = 0;
  for (const RankResult& result : results) most = std::max(most, result.figures.*figure);
  return most;
}
double sum(std::span<const RankResult> results, double RankResult::Figures::*figure);

/// After ranks were lost a chain goes on from what was known of it: sets right with what it was
/// left where a loss ended a life.
void settle_after_losses(std::span<GroupLife> lives);

/// Chains that ended early had what was executed of them. `lives`: as collected.
void count_executed_items(std::span<GroupLife> lives);

/// Collective over `world`: the largest `value`. Valid on rank 0.
double worst(double value, MPI_Comm world);

}  // namespace regroup
