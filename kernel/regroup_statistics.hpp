// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "regroup/outcome.hpp"

namespace regroup {

/// In how many regroupings the processes took part: the paper's Table 1.
struct RegroupStatistics {
  double average = 0;
  double deviation = 0;  ///< of the population of all processes
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::map<std::int64_t, std::int64_t> processes;  ///< number of regroupings → processes
};

RegroupStatistics regroup_statistics(std::span<const GroupLife> lives, int ranks);

/// Of so many processes by their numbers of regroupings.
RegroupStatistics regroup_statistics(std::map<std::int64_t, std::int64_t> processes);

/// What regroupings did to chains that went on in another group.
struct RegroupEffects {
  std::int64_t probes = 0;  ///< groups, formed to execute a chain, of a size that none had before
  std::int64_t undone = 0;  ///< times that a chain went on in a smaller group
  std::int64_t kept = 0;    ///< chains that ended in a larger group than they began in
  double slowdown = 1;      ///< of items, when chains went on in larger groups: the geometric mean

  friend bool operator==(const RegroupEffects&, const RegroupEffects&) = default;
};

RegroupEffects regroup_effects(std::span<const GroupLife> lives);

/// What the loss of ranks cost a run.
struct LossStatistics {
  RankSet lost;
  int ranks_lost = 0;
  std::int64_t items_repeated = 0;  ///< that groups executed, and that did not count
  double recovery_s = 0;  ///< from when the first group heard of a loss until all went on: the sum

  friend bool operator==(const LossStatistics&, const LossStatistics&) = default;
};

LossStatistics loss_statistics(std::span<const GroupLife> lives);

}  // namespace regroup
