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

/// The results of one rank at the end of a run.
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
  std::vector<ChainEnd> chains;  ///< that ended while it led their groups
  Figures figures;
  std::vector<int> phases = {};  ///< of the lives (World::phase()); empty: all in the first
  std::vector<ChainFailure> failures = {};  ///< of chains that failed while it led their groups
};

void put(std::span<const ChainFailure> failures, Packer& packer);
std::vector<ChainFailure> take_failures(Unpacker& unpacker);

std::vector<std::byte> packed(const RankResult& result);
RankResult unpacked(std::span<const std::byte> bytes);

/// Returns the results of all ranks, in their order, on rank 0, and nothing on other ranks. Sends
/// with `tag`. Collective over `world`.
std::vector<RankResult> collect(const RankResult& own, const World& world, Tag tag);

/// Returns the results in the order of ranks.
std::vector<RankResult> values_of(const std::map<int, RankResult>& results);

/// Returns one life per group: that of its leader, with minima and maxima over its members. They
/// are in the order of Outcome::lives.
std::vector<GroupLife> lives_of(std::span<const RankResult> results);

/// Returns the chains that ended, sorted by number.
std::vector<ChainEnd> chain_ends_of(std::span<const RankResult> results);

/// Keeps only the first failure of each chain, and sorts by number.
void drop_doubles(std::vector<ChainFailure>& failures);

/// Returns the failures of chains, `before` and in the run, sorted by number.
std::vector<ChainFailure> failures_of(std::span<const RankResult> results,
                                      std::span<const ChainFailure> before);

/// Returns the maximum of a figure over the ranks, or its sum.
template <class Number>
Number largest(std::span<const RankResult> results, Number RankResult::Figures::*figure) {
  Number most = 0;
  for (const RankResult& result : results) most = std::max(most, result.figures.*figure);
  return most;
}
double sum(std::span<const RankResult> results, double RankResult::Figures::*figure);

/// Corrects the items left at the end of lives that a loss ended: to those with which the chain
/// went on.
void settle_after_losses(std::span<GroupLife> lives);

/// Sets the items of chains, which may have ended early, to those executed. `lives`: as collected.
void count_executed_items(std::span<GroupLife> lives);

/// Returns the largest `value`, valid on rank 0. Collective over `world`.
double worst(double value, MPI_Comm world);

}  // namespace regroup
