// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regroup/rank_range.hpp"

namespace regroup {

/// The members of a communicator, as ranks of a parent in their new order: a range first, first +
/// stride, …, or a list.
class Members {
 public:
  /// Nobody.
  Members() = default;

  /// The ranks `lo … hi`.
  Members(RankRange ranks) : first_(ranks.lo), size_(ranks.size()) {}

  /// `size` ranks from `first` on, `stride` apart.
  static Members range(int first, int size, int stride = 1) {
    Members members(RankRange{first, first + size - 1});
    if (size > 1) members.stride_ = stride;
    return members;
  }

  /// Distinct ranks in any order; where they ascend in equal steps, a range.
  static Members list(std::vector<int> ranks);

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool is_range() const { return list_.empty(); }

  /// The rank of the member at `place`, 0 … size() - 1.
  int operator[](int place) const {
    return is_range() ? first_ + place * stride_ : list_[static_cast<std::size_t>(place)];
  }
  /// The distance of neighbours in a range.
  int stride() const { return stride_; }

  /// Where `rank` stands among the members, or -1.
  int index_of(int rank) const;

  /// All of them, in their order.
  std::vector<int> ranks() const;

  friend bool operator==(const Members&, const Members&) = default;

 private:
  int first_ = 0;
  int size_ = 0;
  int stride_ = 1;
  std::vector<int> list_;  // empty for a range
};

inline Members Members::list(std::vector<int> ranks) {
  const int size = static_cast<int>(ranks.size());
  if (size == 0) return {};
  const int stride = size > 1 ? ranks[1] - ranks[0] : 1;
  Members even_steps = range(ranks.front(), size, stride);
  bool is_even = stride >= 1;
  for (int place = 0; is_even && place < size; ++place) {
    is_even = ranks[static_cast<std::size_t>(place)] == even_steps[place];
  }
  if (is_even) return even_steps;
  Members members;
  members.size_ = size;
  members.list_ = std::move(ranks);
  return members;
}

inline int Members::index_of(int rank) const {
  if (is_range()) {
    const int steps = rank - first_;
    const bool met = steps >= 0 && steps % stride_ == 0 && steps / stride_ < size_;
    return met ? steps / stride_ : -1;
  }
  const auto place = std::ranges::find(list_, rank);
  return place == list_.end() ? -1 : static_cast<int>(place - list_.begin());
}

inline std::vector<int> Members::ranks() const {
  std::vector<int> all(static_cast<std::size_t>(size_));
  for (int place = 0; place < size_; ++place) all[static_cast<std::size_t>(place)] = (*this)[place];
  return all;
}

/// Any ranks, kept as ascending ranges with gaps between them. A value; copies share what they
/// hold.
class RankSet {
 public:
  /// Nobody.
  RankSet() = default;
  /// The ranks of `range`.
  RankSet(RankRange range) {
    if (range.lo > range.hi) return;
    hull_ = range;
    size_ = range.size();
  }
  /// The ranks `lo … hi`.
  RankSet(int lo, int hi) : RankSet(RankRange{lo, hi}) {}

  /// All ranks that are in one of `ranges`, which may come in any order, touch and overlap.
  static RankSet of(std::vector<RankRange> ranges);

  int lo() const { return hull_.lo; }  ///< the lowest
  int hi() const { return hull_.hi; }  ///< the highest
  int size() const { return size_; }
  bool empty() const { return size() == 0; }
  bool is_range() const { return !several_; }

  /// From left to right.
  std::span<const RankRange> ranges() const {
    if (several_) return {several_.get(), static_cast<std::size_t>(number_)};
    return {&hull_, empty() ? 0u : 1u};
  }

  bool contains(int rank) const;
  bool contains(const RankSet& other) const;
  bool overlaps(const RankSet& other) const;

  /// The `count` ranks after the lowest `skipped`.
  RankSet slice(int skipped, int count) const;

  friend bool operator==(const RankSet& a, const RankSet& b) {
    if (a.hull_ != b.hull_ || a.size_ != b.size_ || a.number_ != b.number_) return false;
    return a.several_ == b.several_ || std::ranges::equal(a.ranges(), b.ranges());
  }

 private:
  RankRange hull_;
  int size_ = 0;    // of all ranges
  int number_ = 0;  // of ranges, where there is a gap
  std::shared_ptr<const RankRange[]> several_;
};

/// The ranks of all of `sets`.
RankSet united(std::span<const RankSet> sets);
inline RankSet united(const RankSet& a, const RankSet& b) {
  const RankSet both[] = {a, b};
  return united(both);
}

/// "0-3 8-11 17".
std::string text_of(const RankSet& ranks);
/// The reverse; nothing where `text` is no such.
std::optional<RankSet> rank_set_of(std::string_view text);

/// In ascending order.
Members members_of(const RankSet& ranks);

/// Which ranks share a node. A value; copies share what they hold.
class NodeMap {
 public:
  /// Nobody knows, and all ranks are taken to be on one.
  NodeMap() = default;
  /// Those of the ranks 0, 1, …: equal numbers from 0 on where ranks share a node.
  explicit NodeMap(std::vector<int> nodes);
  /// The same of the ranks of each node, which together are all.
  static NodeMap of(std::span<const RankSet> nodes);

  bool known() const { return of_ranks_ != nullptr; }
  int nodes() const { return nodes_; }
  int most_ranks() const { return most_ranks_; }  ///< on one node; 0 where nobody knows
  int of(int rank) const { return known() ? (*of_ranks_)[static_cast<std::size_t>(rank)] : 0; }
  /// How many nodes `ranks` are on.
  int count(const RankSet& ranks) const;
  bool across(const RankSet& ranks) const { return count(ranks) > 1; }
  /// The fewest that so many ranks can be on.
  int fewest(int ranks) const;

  friend bool operator==(const NodeMap& a, const NodeMap& b) {
    return a.of_ranks_ == b.of_ranks_ || (a.known() && b.known() && *a.of_ranks_ == *b.of_ranks_);
  }

 private:
  std::shared_ptr<const std::vector<int>> of_ranks_;
  int nodes_ = 1;
  int most_ranks_ = 0;
  bool ascending_ = true;  // along the ranks
};

/// What ranks are taken to be on where nobody knows.
inline const NodeMap one_node;

/// So many nodes are needed for `ranks`.
constexpr int nodes_for(int ranks, int ranks_per_node) { return (ranks - 1) / ranks_per_node + 1; }

/// What differs from `ranks_per_node` (0: anything is right) if `ranks` are on so many nodes with
/// at most `most` on each; empty if nothing does. Ranks that do not fill their nodes may be fewer
/// on any.
std::string node_mismatch(int ranks_per_node, int ranks, int nodes, int most);
inline std::string node_mismatch(int ranks_per_node, int ranks, const NodeMap& came) {
  return node_mismatch(ranks_per_node, ranks, came.nodes(), came.most_ranks());
}

}  // namespace regroup
