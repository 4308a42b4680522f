// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/comm.hpp"

#include <algorithm>
#include <climits>

#include "communicators/range/error.hpp"

namespace regroup::range {

RankList::RankList(std::span<const int> ranks) : ranks_(ranks.begin(), ranks.end()) {
  sorted_.reserve(ranks_.size());
  for (int number = 0; const int rank : ranks_) sorted_.emplace_back(rank, number++);
  std::ranges::sort(sorted_);
}

int RankList::number(int rank) const {
  const auto found = std::ranges::lower_bound(sorted_, std::pair{rank, 0});
  return found != sorted_.end() && found->first == rank ? found->second : -1;
}

Comm Comm::range(int first, int last, int stride) const {
  require_within("the last rank", last, 0, size_ - 1);
  require_within("the first rank", first, 0, last);
  require_within("the stride", stride, 1, INT_MAX);
  const int steps = stride == 1 ? last - first : (last - first) / stride;
  Comm part = *this;
  part.context_ = sub_range(context_, first, first + steps * stride, stride);
  part.size_ = steps + 1;
  const int offset = rank_ - first;
  if (rank_ < first || offset > steps * stride) {
    part.rank_ = -1;
  } else if (stride == 1) {
    part.rank_ = offset;
  } else {
    part.rank_ = offset % stride == 0 ? offset / stride : -1;
  }
  return part;
}

bool overlap_in_two(const Comm& one, const Comm& other) {
  const bool swap = other.size() < one.size();
  const Comm& small = swap ? other : one;
  const Comm& large = swap ? one : other;
  int common = 0;
  for (int rank = 0; rank < small.size() && common < 2; ++rank) {
    if (large.rank_of(small.parent_rank(rank)) >= 0) ++common;
  }
  return common == 2;
}

}  // namespace regroup::range
