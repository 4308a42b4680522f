// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "regroup/outcome.hpp"

namespace regroup {

/// Statistics of the number of regroupings per process: Table 1 of the paper.
struct RegroupStatistics {
  double average = 0;
  double deviation = 0;  ///< population standard deviation
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::map<std::int64_t, std::int64_t> processes;  ///< number of regroupings → processes
};

RegroupStatistics regroup_statistics(std::span<const GroupLife> lives, int ranks);

/// `processes`: the number of processes for each number of regroupings.
RegroupStatistics regroup_statistics(std::map<std::int64_t, std::int64_t> processes);

/// Effects of regroupings on chains.
struct RegroupEffects {
  std::int64_t probes = 0;  ///< regroupings to a group with a chain, of a size not used before
  std::int64_t undone = 0;  ///< times that a chain continued in a smaller group, not after a loss
  std::int64_t kept = 0;    ///< chains that ended in a larger group than they began in
  double slowdown = 1;      ///< geometric mean of the change of item times when groups grow

  friend bool operator==(const RegroupEffects&, const RegroupEffects&) = default;
};

RegroupEffects regroup_effects(std::span<const GroupLife> lives);

/// The cost of losses of ranks in a run.
struct LossStatistics {
  RankSet lost;
  int ranks_lost = 0;
  std::int64_t items_repeated = 0;  ///< executed items that did not count because of losses
  double recovery_s = 0;  ///< total time from the detection of a loss until all groups have formed

  friend bool operator==(const LossStatistics&, const LossStatistics&) = default;
};

LossStatistics loss_statistics(std::span<const GroupLife> lives);

}  // namespace regroup
