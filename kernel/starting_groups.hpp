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

/// Returns groups of `group_size` consecutive ranks; the last group may be smaller.
std::vector<RankRange> initial_groups(int ranks, int group_size);

/// Returns `number` groups of consecutive ranks, at most one per rank. If sizes cannot be equal,
/// the first groups are one rank larger.
std::vector<RankRange> even_groups(int ranks, int number);

/// Parses a number of groups; std::nullopt if `text` is not a positive integer.
std::optional<int> number_of_groups(std::string_view text);

/// The names of the walkers 0, 1, … of a run. The walkers of the groups, from left to right, have
/// the lowest rank of their group as name. Further walkers are named as if the groups were repeated
/// on higher ranks, with an offset of `turn()` each time.
class WalkerNames {
 public:
  WalkerNames() = default;
  /// Returns names that are multiples of `group_size`, even if the last group is smaller.
  static WalkerNames multiples(int groups, int group_size);
  /// `lowest`: the lowest ranks of the groups, ascending. `ranks`: number of ranks of all groups.
  WalkerNames(std::vector<int> lowest, int ranks);

  int groups() const { return groups_; }
  int turn() const { return turn_; }
  /// Returns the maximum number of walkers, limited by the range of names.
  std::size_t most() const;

  int name(std::size_t walker) const;
  int number(int name) const;

 private:
  int groups_ = 1;
  int turn_ = 1;
  std::vector<int> lowest_;  // empty if names are multiples
};

/// The groups at the start of a run, sorted by their lowest ranks. Each rank is in exactly one.
class StartingGroups {
 public:
  StartingGroups() = default;
  /// Returns the groups of initial_groups(), with names that are multiples of `group_size`.
  static StartingGroups equal(int ranks, int group_size);
  /// Parses "0-3/4-7 12/8-11". Throws std::invalid_argument if a rank is missing or in two groups.
  static StartingGroups from(std::string_view text);
  /// `groups` must be disjoint and contain all ranks.
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

  int ranks() const { return ranks_; }  ///< number of ranks of all groups
  int largest() const;                  ///< size of the largest group
  int smallest() const;
  /// Returns the first group that is not a range; nullptr if there is none.
  const RankSet* with_gap() const;
  std::size_t index_of(int rank) const;

  const WalkerNames& names() const { return names_; }

 private:
  std::vector<RankSet> groups_;
  int ranks_ = 0;
  WalkerNames names_;
};

/// Returns a text that StartingGroups::from() parses.
std::string text_of(const StartingGroups& groups);

}  // namespace regroup
