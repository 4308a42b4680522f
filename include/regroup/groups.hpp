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
  /// No members.
  Members() = default;

  /// The ranks `lo … hi`.
  Members(RankRange ranks) : first_(ranks.lo), size_(ranks.size()) {}

  /// The `size` ranks first, first + stride, …
  static Members range(int first, int size, int stride = 1) {
    Members members(RankRange{first, first + size - 1});
    if (size > 1) members.stride_ = stride;
    return members;
  }

  /// Distinct ranks in any order; stored as a range if they ascend in equal steps.
  static Members list(std::vector<int> ranks);

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool is_range() const { return list_.empty(); }

  /// The rank of the member at `place`, 0 … size() - 1.
  int operator[](int place) const {
    return is_range() ? first_ + place * stride_ : list_[static_cast<std::size_t>(place)];
  }
  /// Distance between consecutive members of a range.
  int stride() const { return stride_; }

  /// The index of `rank` among the members, or -1.
  int index_of(int rank) const;

  /// All members, in their order.
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

/// A set of ranks, stored as ascending ranges with gaps between them. A value; copies share memory.
class RankSet {
 public:
  /// The empty set.
  RankSet() = default;
  /// The ranks of `range`.
  RankSet(RankRange range) {
    if (range.lo > range.hi) return;
    hull_ = range;
    size_ = range.size();
  }
  /// The ranks `lo … hi`.
  RankSet(int lo, int hi) : RankSet(RankRange{lo, hi}) {}

  /// The union of `ranges`, which may be in any order, touch and overlap.
  static RankSet of(std::vector<RankRange> ranges);

  int lo() const { return hull_.lo; }  ///< lowest rank
  int hi() const { return hull_.hi; }  ///< highest rank
  int size() const { return size_; }
  bool empty() const { return size() == 0; }
  bool is_range() const { return !several_; }

  /// In ascending order.
  std::span<const RankRange> ranges() const {
    if (several_) return {several_.get(), static_cast<std::size_t>(number_)};
    return {&hull_, empty() ? 0u : 1u};
  }

  bool contains(int rank) const;
  bool contains(const RankSet& other) const;
  bool overlaps(const RankSet& other) const;

  /// The `count` ranks that follow the lowest `skipped` ranks.
  RankSet slice(int skipped, int count) const;

  friend bool operator==(const RankSet& a, const RankSet& b) {
    if (a.hull_ != b.hull_ || a.size_ != b.size_ || a.number_ != b.number_) return false;
    return a.several_ == b.several_ || std::ranges::equal(a.ranges(), b.ranges());
  }

 private:
  RankRange hull_;
  int size_ = 0;    // number of ranks
  int number_ = 0;  // number of ranges if there are several, otherwise 0
  std::shared_ptr<const RankRange[]> several_;
};

/// The union of `sets`.
RankSet united(std::span<const RankSet> sets);
inline RankSet united(const RankSet& a, const RankSet& b) {
  const RankSet both[] = {a, b};
  return united(both);
}

/// The text of a set: "0-3 8-11 17".
std::string text_of(const RankSet& ranks);
/// The inverse of text_of; nothing if `text` is not such a text.
std::optional<RankSet> rank_set_of(std::string_view text);

/// The ranks of a set, in ascending order.
Members members_of(const RankSet& ranks);

/// Maps ranks to nodes. A value; copies share memory.
class NodeMap {
 public:
  /// Unknown placement: all ranks are assumed to share one node.
  NodeMap() = default;
  /// `nodes`: the node of each rank 0, 1, …; nodes are numbered from 0.
  explicit NodeMap(std::vector<int> nodes);
  /// `nodes`: the ranks of each node, together all ranks.
  static NodeMap of(std::span<const RankSet> nodes);

  bool known() const { return of_ranks_ != nullptr; }
  int nodes() const { return nodes_; }
  int most_ranks() const { return most_ranks_; }  ///< largest number on a node; 0: unknown
  int of(int rank) const { return known() ? (*of_ranks_)[static_cast<std::size_t>(rank)] : 0; }
  /// Number of nodes that contain some of `ranks`.
  int count(const RankSet& ranks) const;
  bool across(const RankSet& ranks) const { return count(ranks) > 1; }
  /// Smallest number of nodes that can contain `ranks` ranks; 1 if the placement is unknown.
  int fewest(int ranks) const;

  friend bool operator==(const NodeMap& a, const NodeMap& b) {
    return a.of_ranks_ == b.of_ranks_ || (a.known() && b.known() && *a.of_ranks_ == *b.of_ranks_);
  }

 private:
  std::shared_ptr<const std::vector<int>> of_ranks_;
  int nodes_ = 1;
  int most_ranks_ = 0;
  bool ascending_ = true;  // whether nodes ascend with the ranks
};

/// Unknown placement: all ranks on one node.
inline const NodeMap one_node;

/// Number of nodes that `ranks` ranks need.
constexpr int nodes_for(int ranks, int ranks_per_node) { return (ranks - 1) / ranks_per_node + 1; }

/// Error message if `ranks` ranks on `nodes` nodes, at most `most` on each, do not match
/// `ranks_per_node` (0: any placement matches); empty if they do. If the ranks do not fill the
/// nodes, any node may have fewer.
std::string node_mismatch(int ranks_per_node, int ranks, int nodes, int most);
inline std::string node_mismatch(int ranks_per_node, int ranks, const NodeMap& came) {
  return node_mismatch(ranks_per_node, ranks, came.nodes(), came.most_ranks());
}

}  // namespace regroup
