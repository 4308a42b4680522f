// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {

/// The walker groups at the start of a run: `group_size` consecutive ranks each; the last group is
/// smaller where `group_size` does not divide `ranks`.
std::vector<RankRange> initial_groups(int ranks, int group_size);

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

/// The walker groups that a run starts with, by their lowest ranks from left to right: each rank is
/// in one. Those of equal size are consecutive ranks, of any others a file may tell.
class StartingGroups {
 public:
  /// Nobody's.
  StartingGroups() = default;
  /// `group_size` consecutive ranks in each; the last has fewer where they do not come out even.
  static StartingGroups equal(int ranks, int group_size);
  /// "0-3/4-7 12/8-11": these, whose order does not matter. Throws std::invalid_argument where a
  /// rank is missing or in two of them.
  static StartingGroups from(std::string_view text);
  /// These, which must be disjoint and together all ranks.
  StartingGroups(std::vector<RankSet> groups);
  StartingGroups(const std::vector<RankRange>& groups)
      : StartingGroups(std::vector<RankSet>(groups.begin(), groups.end())) {}
  StartingGroups(std::initializer_list<RankRange> groups)
      : StartingGroups(std::vector<RankSet>(groups.begin(), groups.end())) {}

  bool empty() const { return groups_.empty(); }
  std::size_t size() const { return groups_.size(); }
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }
  const RankSet& operator[](std::size_t place) const { return groups_[place]; }

  int ranks() const { return ranks_; }  ///< of all together
  int largest() const;                  ///< how many ranks a group has at most
  int smallest() const;
  /// Of the first group that is no range; nullptr where all are.
  const RankSet* with_gap() const;
  /// That of the group that `rank` is in.
  std::size_t index_of(int rank) const;

  const WalkerNames& names() const { return names_; }

 private:
  std::vector<RankSet> groups_;
  int ranks_ = 0;
  WalkerNames names_;
};

/// As StartingGroups::from() reads it.
std::string text_of(const StartingGroups& groups);

}  // namespace regroup
