// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/groups/rank_set.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace regroup {
namespace {

/// A rank at the beginning of `text`, which is taken from it.
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
  int size = 0;
  for (const RankRange& range : ranges) size += range.size();
  set.several_ = std::make_shared<const Several>(Several{size, std::move(ranges)});
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
  std::vector<RankRange> some;
  for (RankRange range : ranges()) {
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

}  // namespace regroup
