// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rank_range.hpp"

#include <algorithm>

namespace regroup {

std::vector<RankRange> initial_groups(int ranks, int group_size) {
  std::vector<RankRange> groups;
  groups.reserve(static_cast<std::size_t>((ranks + group_size - 1) / group_size));
  for (int lo = 0; lo < ranks; lo += group_size) {
    groups.push_back({lo, std::min(lo + group_size, ranks) - 1});
  }
  return groups;
}

}  // namespace regroup
