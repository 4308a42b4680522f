// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/regroup_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace regroup {

RegroupStatistics regroup_statistics(std::span<const GroupLife> lives, int ranks) {
  // Each regrouping adds one to ranges of ranks: note where ranges begin and end, then sum up.
  std::vector<std::int64_t> change(static_cast<std::size_t>(ranks) + 1, 0);
  for (const GroupLife& life : lives) {
    if (!life.regrouped()) continue;
    for (const RankRange range : life.ranks.ranges()) {
      ++change[static_cast<std::size_t>(range.lo)];
      --change[static_cast<std::size_t>(range.hi) + 1];
    }
  }

  std::map<std::int64_t, std::int64_t> processes;
  std::int64_t count = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    count += change[static_cast<std::size_t>(rank)];
    ++processes[count];
  }
  return regroup_statistics(std::move(processes));
}

RegroupStatistics regroup_statistics(std::map<std::int64_t, std::int64_t> all) {
  RegroupStatistics statistics;
  statistics.processes = std::move(all);
  if (statistics.processes.empty()) return statistics;

  double ranks = 0;
  double sum = 0;
  double squares = 0;
  for (const auto& [regroupings, processes] : statistics.processes) {
    ranks += static_cast<double>(processes);
    sum += static_cast<double>(regroupings) * static_cast<double>(processes);
  }
  statistics.average = sum / ranks;
  for (const auto& [regroupings, processes] : statistics.processes) {
    const double off = static_cast<double>(regroupings) - statistics.average;
    squares += off * off * static_cast<double>(processes);
  }
  statistics.deviation = std::sqrt(squares / ranks);
  statistics.min = statistics.processes.begin()->first;
  statistics.max = statistics.processes.rbegin()->first;
  return statistics;
}

}  // namespace regroup
