// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/balancer.hpp"

namespace regroup {

std::vector<RankRange> Balancer::partition(std::span<const GroupLoad> loads) const {
  std::vector<RankRange> ranges;
  ranges.reserve(loads.size());
  for (const GroupLoad& load : loads) ranges.push_back(load.ranks);
  return ranges;
}

}  // namespace regroup
