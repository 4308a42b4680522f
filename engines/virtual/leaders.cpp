// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/leaders.hpp"

#include <algorithm>
#include <memory>

namespace regroup {
namespace {

std::size_t place(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

Leaders::Leaders(int ranks, const StartingGroups& groups)
    : leaders_(place(ranks)), follows_(place(ranks)) {
  for (const RankSet& group : groups) {
    for (const RankRange range : group.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) follows_[place(rank)] = group.lo();
    }
  }
}

SimulatedLeader& Leaders::at(int rank) {
  std::unique_ptr<SimulatedLeader>& leader = leaders_[place(rank)];
  if (!leader) {
    leader = std::make_unique<SimulatedLeader>();
    leader->rank = rank;
  }
  return *leader;
}

SimulatedLeader& Leaders::of(int rank) {
  while (follows_[place(rank)] != rank) {
    int& next = follows_[place(rank)];
    next = follows_[place(next)];
    rank = next;
  }
  return at(rank);
}

void Leaders::follow(std::span<const int> parts, std::span<const Group> groups) {
  if (groups.size() == 1) {
    for (const int part : parts) follows_[place(part)] = groups.front().leader();
    return;
  }
  for (const Group& group : groups) {
    for (const RankRange range : group.ranks.ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) follows_[place(rank)] = group.leader();
    }
  }
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

std::vector<Group> Leaders::groups() {
  std::vector<Group> all;
  for (int rank = 0; rank < static_cast<int>(follows_.size());) {
    const Group& group = of(rank).group;
    if (group.leader() == rank) all.push_back(group);
    rank = group.ranks.is_range() ? group.ranks.hi() + 1 : rank + 1;
  }
  return all;
}

}  // namespace regroup
