// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/groups.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace regroup {
namespace {

/// Removes and returns a rank at the beginning of `text`.
std::optional<int> take_rank(std::string_view& text) {
  int rank = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error != std::errc() || rank == std::numeric_limits<int>::max()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return rank;
}

}  // namespace

RankSet RankSet::of(std::vector<RankRange> ranges) {
  std::erase_if(ranges, [](RankRange range) { return range.size() <= 0; });
  if (ranges.empty()) return {};
  std::ranges::sort(ranges, {}, &RankRange::lo);
  std::size_t last = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].lo <= ranges[last].hi + 1) {
      ranges[last].hi = std::max(ranges[last].hi, ranges[i].hi);
    } else {
      ranges[++last] = ranges[i];
    }
  }
  ranges.resize(last + 1);
  RankSet set(ranges.front().lo, ranges.back().hi);
  if (ranges.size() == 1) return set;
  const auto several = std::make_shared<RankRange[]>(ranges.size());
  std::ranges::copy(ranges, several.get());
  set.size_ = 0;
  for (const RankRange& range : ranges) set.size_ += range.size();
  set.number_ = static_cast<int>(ranges.size());
  set.several_ = several;
  return set;
}

bool RankSet::contains(int rank) const {
  const auto all = ranges();
  const auto after = std::ranges::upper_bound(all, rank, {}, &RankRange::lo);
  return after != all.begin() && (after - 1)->contains(rank);
}

bool RankSet::contains(const RankSet& other) const {
  const auto all = ranges();
  return std::ranges::all_of(other.ranges(), [&](RankRange range) {
    const auto after = std::ranges::upper_bound(all, range.lo, {}, &RankRange::lo);
    return after != all.begin() && (after - 1)->contains(range);
  });
}

bool RankSet::overlaps(const RankSet& other) const {
  const auto all = ranges();
  return std::ranges::any_of(other.ranges(), [&](RankRange range) {
    const auto after = std::ranges::upper_bound(all, range.hi, {}, &RankRange::lo);
    return after != all.begin() && (after - 1)->hi >= range.lo;
  });
}

RankSet RankSet::slice(int skipped, int count) const {
  if (skipped == 0 && count >= size()) return *this;
  std::vector<RankRange> some;
  some.reserve(ranges().size());
  for (RankRange range : ranges()) {
    if (count <= 0) break;
    const int skip = std::min(skipped, range.size());
    skipped -= skip;
    range.lo += skip;
    range.hi = range.lo + std::min(range.size(), count) - 1;
    count -= range.size();
    some.push_back(range);
  }
  return of(std::move(some));
}

RankSet united(std::span<const RankSet> sets) {
  std::vector<RankRange> all;
  all.reserve(sets.size());
  for (const RankSet& set : sets) {
    all.insert(all.end(), set.ranges().begin(), set.ranges().end());
  }
  return RankSet::of(std::move(all));
}

std::string text_of(const RankSet& ranks) {
  std::string text;
  for (const RankRange range : ranks.ranges()) {
    if (!text.empty()) text += ' ';
    text += std::to_string(range.lo);
    if (range.hi > range.lo) text += '-' + std::to_string(range.hi);
  }
  return text;
}

std::optional<RankSet> rank_set_of(std::string_view text) {
  std::vector<RankRange> ranges;
  for (;;) {
    const auto lo = take_rank(text);
    if (!lo) return std::nullopt;
    auto hi = lo;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      hi = take_rank(text);
      if (!hi || *hi <= *lo) return std::nullopt;
    }
    if (!ranges.empty() && *lo <= ranges.back().hi + 1) return std::nullopt;
    ranges.push_back({*lo, *hi});
    if (text.empty()) return RankSet::of(std::move(ranges));
    if (!text.starts_with(' ')) return std::nullopt;
    text.remove_prefix(1);
  }
}

Members members_of(const RankSet& ranks) {
  if (ranks.is_range()) return ranks.empty() ? Members() : Members(ranks.ranges().front());
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(ranks.size()));
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi; ++rank) all.push_back(rank);
  }
  return Members::list(std::move(all));
}

NodeMap::NodeMap(std::vector<int> nodes) {
  if (nodes.empty()) return;
  nodes_ = *std::ranges::max_element(nodes) + 1;
  std::vector<int> ranks(static_cast<std::size_t>(nodes_), 0);
  for (const int node : nodes) ++ranks[static_cast<std::size_t>(node)];
  most_ranks_ = *std::ranges::max_element(ranks);
  ascending_ = std::ranges::is_sorted(nodes);
  of_ranks_ = std::make_shared<const std::vector<int>>(std::move(nodes));
}

NodeMap NodeMap::of(std::span<const RankSet> nodes) {
  std::vector<int> of_ranks(static_cast<std::size_t>(united(nodes).size()), 0);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (const RankRange range : nodes[node].ranges()) {
      std::fill(of_ranks.begin() + range.lo, of_ranks.begin() + range.hi + 1,
                static_cast<int>(node));
    }
  }
  return NodeMap(std::move(of_ranks));
}

int NodeMap::count(const RankSet& ranks) const {
  if (nodes_ == 1 || ranks.empty()) return 1;
  if (ascending_) {
    int count = 0;
    int last = -1;
    for (const RankRange range : ranks.ranges()) {
      const int first = std::max(of(range.lo), last + 1);
      count += std::max(0, of(range.hi) - first + 1);
      last = std::max(last, of(range.hi));
    }
    return count;
  }
  std::vector<bool> seen(static_cast<std::size_t>(nodes_), false);
  int count = 0;
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi && count < nodes_; ++rank) {
      if (seen[static_cast<std::size_t>(of(rank))]) continue;
      seen[static_cast<std::size_t>(of(rank))] = true;
      ++count;
    }
  }
  return count;
}

int NodeMap::fewest(int ranks) const {
  return known() ? std::min(nodes_, nodes_for(ranks, most_ranks_)) : 1;
}

std::string node_mismatch(int ranks_per_node, int ranks, int nodes, int most) {
  if (ranks_per_node == 0) return {};
  const int needed = nodes_for(ranks, ranks_per_node);
  if (nodes == needed && most <= ranks_per_node) return {};
  return fmt::format(
      "ranks_per_node is {}, which means {} ranks on {} {}, but the launcher placed them on {}, up "
      "to {} on one",
      ranks_per_node, ranks, needed, needed == 1 ? "node" : "nodes", nodes, most);
}

}  // namespace regroup
