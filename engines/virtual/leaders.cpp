// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/leaders.hpp"

#include <algorithm>
#include <utility>

namespace regroup {
Leaders::Leaders(int ranks, const StartingGroups& groups)
    : ranks_(static_cast<std::size_t>(ranks)) {
  for (const RankSet& group : groups) set_leader(group);
}

void Leaders::set_leader(const RankSet& group) {
  for (const RankRange range : group.ranges()) {
    for (int one = range.lo; one <= range.hi; ++one) rank(one).follows = group.lo();
  }
}

SimulatedLeader& Leaders::at(int number) {
  Rank& own = rank(number);
  if (own.leader == Slots<SimulatedLeader>::none) {
    own.leader = leaders_.add({});
    leaders_[own.leader].rank = number;
  }
  return leaders_[own.leader];
}

SimulatedLeader& Leaders::of(int number) {
  while (rank(number).follows != number) {
    int& next = rank(number).follows;
    next = rank(next).follows;
    number = next;
  }
  return at(number);
}

SimulatedLeader* Leaders::find(int number, std::uint32_t order) {
  const Rank& own = rank(number);
  if (own.leader == Slots<SimulatedLeader>::none || own.order != order) return nullptr;
  return &leaders_[own.leader];
}

void Leaders::remove(const SimulatedLeader& leader) {
  leaders_.remove(std::exchange(rank(leader.rank).leader, Slots<SimulatedLeader>::none));
}

void Leaders::follow(std::span<const int> parts, std::span<const Group> groups) {
  if (groups.size() == 1) {
    for (const int part : parts) rank(part).follows = groups.front().leader();
    return;
  }
  for (const Group& group : groups) set_leader(group.ranks);
}

Ticks Leaders::ready_at(const RankSet& ranks) {
  Ticks latest = 0;
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi;) {
      const SimulatedLeader& part = of(rank);
      latest = std::max(latest, part.ready_at);
      rank = part.group.ranks.is_range() ? part.group.ranks.hi() + 1 : rank + 1;
    }
  }
  return latest;
}

Ticks Leaders::ready_at(std::span<const int> parts) {
  Ticks latest = 0;
  for (const int part : parts) latest = std::max(latest, at(part).ready_at);
  return latest;
}

std::vector<Group> Leaders::groups() {
  std::vector<Group> all;
  for (int rank = 0; rank < static_cast<int>(ranks_.size());) {
    const Group& group = of(rank).group;
    if (group.leader() == rank) all.push_back(group);
    rank = group.ranks.is_range() ? group.ranks.hi() + 1 : rank + 1;
  }
  return all;
}

}  // namespace regroup
