// SPDX-License-Identifier: BSD-3-Clause
//
// collective(interval), the paper's synchronous balancer:
//
//   repeat
//     execute at most `exchange_interval` of the items left
//     exchange loads with all groups
//     in one regrouping, adjacent groups without work join the first group with work on their
//     right; if no group has work, all groups join
//   until one group is left and has no work; if that group formed before its work was done, all
//   ranks regroup once more at the end, as they do if no group has work
//
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include <algorithm>

#include "balancers/balancers.hpp"

namespace regroup {

Decision Collective::decide(const Knowledge& known) {
  const bool alone = known.group.ranks.size() == known.ranks;
  const std::int64_t items = known.group.chain.items_left;
  if (items > 0 && (alone || last != Last::work)) {
    last = Last::work;
    return {Work{alone ? items : std::min(interval, items), false}, {}};
  }
  if (alone && last == Last::regrouping) return {Stop{}, {}};
  last = Last::regrouping;
  if (alone) return {merged(known.group.ranks, known.group.chain), {}};
  return {Exchange{}, {}};
}

std::vector<Group> Collective::plan(std::span<const Group> groups, const Forecast&) const {
  std::vector<Group> joined;
  std::size_t first = 0;  // index of the first group that waits for one with work
  const auto join = [&](std::size_t end) {
    const RankRange together{groups[first].ranks.lo(), groups[end].ranks.hi()};
    joined.push_back({together, groups[end].chain, {}});
    first = end + 1;
  };
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].chain.items_left > 0) join(i);
  }
  if (first == 0) {
    join(groups.size() - 1);
  } else {
    joined.insert(joined.end(), groups.begin() + static_cast<std::ptrdiff_t>(first), groups.end());
  }
  return joined;
}

std::unique_ptr<Balancer> make_collective(const Options& options) {
  return std::make_unique<StatefulBalancer<Collective>>(
      Collective{options.integer("exchange_interval")});
}

}  // namespace regroup
