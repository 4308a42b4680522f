// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/groups/groups.hpp"

#include <algorithm>

namespace regroup {

std::vector<RankRange> initial_groups(int ranks, int group_size) {
  std::vector<RankRange> groups;
  groups.reserve(static_cast<std::size_t>(ranks / group_size) + 1);
  for (int first = 0; first < ranks; first = groups.back().hi + 1) {
    groups.push_back({first, first + std::min(group_size, ranks - first) - 1});
  }
  return groups;
}

}  // namespace regroup
