// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/members.hpp"

#include <algorithm>

namespace regroup {

Members Members::list(std::vector<int> ranks) {
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

int Members::place_of(int rank) const {
  if (is_range()) {
    const int steps = rank - first_;
    const bool met = steps >= 0 && steps % stride_ == 0 && steps / stride_ < size_;
    return met ? steps / stride_ : -1;
  }
  const auto place = std::ranges::find(list_, rank);
  return place == list_.end() ? -1 : static_cast<int>(place - list_.begin());
}

}  // namespace regroup
