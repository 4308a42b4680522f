// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernel/rank_range.hpp"

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

}  // namespace regroup
