// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/starting_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernel/numbers/parse.hpp"

namespace regroup {

std::vector<RankRange> initial_groups(int ranks, int group_size) {
  std::vector<RankRange> groups;
  groups.reserve(static_cast<std::size_t>(ranks / group_size) + 1);
  for (int first = 0; first < ranks; first = groups.back().hi + 1) {
    groups.push_back({first, first + std::min(group_size, ranks - first) - 1});
  }
  return groups;
}

std::vector<RankRange> even_groups(int ranks, int number) {
  std::vector<RankRange> groups;
  groups.reserve(static_cast<std::size_t>(number));
  const int size = ranks / number;
  const int larger = ranks % number;
  for (int i = 0; i < number; ++i) {
    const int first = groups.empty() ? 0 : groups.back().hi + 1;
    groups.push_back({first, first + size - (i < larger ? 0 : 1)});
  }
  return groups;
}

std::optional<int> number_of_groups(std::string_view text) {
  const auto number = parse<int>(text);
  if (!number || *number < 1) return std::nullopt;
  return number;
}

WalkerNames WalkerNames::multiples(int groups, int group_size) {
  WalkerNames names;
  names.groups_ = groups;
  names.turn_ = groups * group_size;
  return names;
}

WalkerNames::WalkerNames(std::vector<int> lowest, int ranks)
    : groups_(static_cast<int>(lowest.size())), turn_(ranks), lowest_(std::move(lowest)) {}

std::size_t WalkerNames::most() const {
  const auto groups = static_cast<std::size_t>(groups_);
  const auto names = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (lowest_.empty()) return names / static_cast<std::size_t>(turn_ / groups_);
  return names / static_cast<std::size_t>(turn_) * groups;
}

int WalkerNames::name(std::size_t walker) const {
  if (lowest_.empty()) return static_cast<int>(walker) * (turn_ / groups_);
  const auto groups = static_cast<std::size_t>(groups_);
  return static_cast<int>(walker / groups) * turn_ + lowest_[walker % groups];
}

int WalkerNames::number(int name) const {
  if (lowest_.empty()) return name / (turn_ / groups_);
  const auto place = std::ranges::lower_bound(lowest_, name % turn_) - lowest_.begin();
  return name / turn_ * groups_ + static_cast<int>(place);
}

namespace {

constexpr int most_ranks = 1 << 24;

/// Throws std::invalid_argument if a rank is in no group or in two.
void check_complete(const std::vector<RankSet>& groups) {
  std::vector<RankRange> all;
  for (const RankSet& group : groups) {
    all.insert(all.end(), group.ranges().begin(), group.ranges().end());
  }
  std::ranges::sort(all, {}, &RankRange::lo);
  int next = 0;
  for (const RankRange& range : all) {
    if (range.lo > next) throw std::invalid_argument(fmt::format("rank {} is in no group", next));
    if (range.lo < next) {
      throw std::invalid_argument(fmt::format("rank {} is in two groups", range.lo));
    }
    if (range.hi >= most_ranks) throw std::invalid_argument("there are no such ranks");
    next = range.hi + 1;
  }
}

}  // namespace

StartingGroups StartingGroups::equal(int ranks, int group_size) {
  StartingGroups groups(initial_groups(ranks, group_size));
  groups.names_ = WalkerNames::multiples(static_cast<int>(groups.size()), group_size);
  return groups;
}

StartingGroups StartingGroups::from(std::string_view text) {
  std::vector<RankSet> groups;
  for (std::string_view rest = text; !rest.empty() || groups.empty();) {
    const std::string_view one = rest.substr(0, rest.find('/'));
    const auto group = rank_set_of(one);
    if (!group) throw std::invalid_argument(fmt::format("'{}' are not ranks", one));
    groups.push_back(*group);
    if (one.size() == rest.size()) break;
    rest.remove_prefix(one.size() + 1);
    if (rest.empty()) throw std::invalid_argument("'' are not ranks");
  }
  check_complete(groups);
  return groups;
}

StartingGroups::StartingGroups(std::vector<RankSet> groups) : groups_(std::move(groups)) {
  std::ranges::sort(groups_, {}, &RankSet::lo);
  std::vector<int> lowest;
  lowest.reserve(groups_.size());
  for (const RankSet& group : groups_) {
    lowest.push_back(group.lo());
    ranks_ = std::max(ranks_, group.hi() + 1);
  }
  if (!groups_.empty()) names_ = WalkerNames(std::move(lowest), ranks_);
}

int StartingGroups::largest() const {
  return std::ranges::max_element(groups_, {}, &RankSet::size)->size();
}

int StartingGroups::smallest() const {
  return std::ranges::min_element(groups_, {}, &RankSet::size)->size();
}

const RankSet* StartingGroups::with_gap() const {
  const auto found = std::ranges::find_if_not(groups_, &RankSet::is_range);
  return found == groups_.end() ? nullptr : &*found;
}

std::size_t StartingGroups::index_of(int rank) const {
  auto group = std::ranges::upper_bound(groups_, rank, {}, &RankSet::lo) - 1;
  while (!group->contains(rank)) --group;
  return static_cast<std::size_t>(group - groups_.begin());
}

std::string text_of(const StartingGroups& groups) {
  std::string text;
  for (const RankSet& group : groups) {
    if (!text.empty()) text += '/';
    text += text_of(group);
  }
  return text;
}

}  // namespace regroup
