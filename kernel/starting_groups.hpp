// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {

/// `group_size` consecutive ranks each; the last group may be smaller.
std::vector<RankRange> initial_groups(int ranks, int group_size);

/// So many groups of consecutive ranks, the first of them one rank larger where they cannot be
/// equal. At most as many groups as ranks.
std::vector<RankRange> even_groups(int ranks, int number);

/// "6": nothing where `text` is no number of groups, from 1 on.
std::optional<int> number_of_groups(std::string_view text);

/// The names of the walkers 0, 1, … of a run. Those of groups are called by the lowest rank of the
/// group, from left to right; the others as if all groups came again, to the right of the first
/// ones, and so on: `turn()` further each time.
class WalkerNames {
 public:
  WalkerNames() = default;
  /// Multiples of `group_size`, whatever the size of the last group.
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

/// The walker groups that a run starts with, by their lowest ranks: each rank is in one.
class StartingGroups {
 public:
  /// Nobody's.
  StartingGroups() = default;
  /// As initial_groups().
  static StartingGroups equal(int ranks, int group_size);
  /// "0-3/4-7 12/8-11", in any order. Throws std::invalid_argument if a rank is missing or in two.
  static StartingGroups from(std::string_view text);
  /// Disjoint, and together all ranks.
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
  /// Of the group that `rank` is in.
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
