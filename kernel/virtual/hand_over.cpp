// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/hand_over.hpp"

#include <algorithm>

namespace regroup {

double hand_over_s(std::span<const int> parts, const Group& group, const Run& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome) {
  if (run.state_bytes == 0 || group.chain.items_left == 0) return 0;
  const auto part = std::ranges::find(
      parts, group.chain.walker, [&](int leader) { return leaders.at(leader).group.chain.walker; });
  if (part == parts.end()) return 0;  // it waited, and begins
  const RankSet& had = leaders.at(*part).group.ranks;
  if (had.contains(group.ranks)) return 0;
  const double seconds = costs.hand_over(group.ranks.size(), run.state_bytes,
                                         !had.overlaps(group.ranks), costs.count(group.ranks));
  outcome.hand_over_bytes = run.state_bytes;
  outcome.hand_over_s += seconds;
  return seconds;
}

}  // namespace regroup
