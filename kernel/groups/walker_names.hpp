// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace regroup {

/// What the walkers 0, 1, … of a run are called. Those that groups begin with have the lowest rank
/// of their group as name, from left to right. The others are named in the same way, as though all
/// of these groups came a second time, to the right of the first, and so on: the names of a walker
/// and of the one that many groups later are `turn()` apart.
class WalkerNames {
 public:
  WalkerNames() = default;
  /// Of so many groups of `group_size` ranks each, whatever the last one has: multiples of it.
  static WalkerNames multiples(int groups, int group_size);
  /// Of groups whose lowest ranks are `lowest`, ascending, among so many.
  WalkerNames(std::vector<int> lowest, int ranks);

  int groups() const { return groups_; }
  int turn() const { return turn_; }
  /// More of them have no names.
  std::size_t most() const;

  int name(std::size_t walker) const;
  int number(int name) const;

 private:
  int groups_ = 1;
  int turn_ = 1;
  std::vector<int> lowest_;  // none where they are multiples
};

}  // namespace regroup
