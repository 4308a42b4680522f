// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "communicators/rank_range.hpp"

namespace regroup {

/// The ranks of a parent that become the members of a communicator, in their new order: a range
/// first, first + stride, …, which costs the same whatever its size, or else a list.
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
  int place_of(int rank) const;

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
  const Members even_steps = range(ranks.front(), size, stride);
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

inline int Members::place_of(int rank) const {
  if (is_range()) {
    const int steps = rank - first_;
    const bool met = steps >= 0 && steps % stride_ == 0 && steps / stride_ < size_;
    return met ? steps / stride_ : -1;
  }
  const auto place = std::ranges::find(list_, rank);
  return place == list_.end() ? -1 : static_cast<int>(place - list_.begin());
}

}  // namespace regroup
