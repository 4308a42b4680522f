// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/gatherings.hpp"

#include <algorithm>
#include <utility>

namespace regroup {

std::optional<Gathering> Gatherings::come(const Group& group, Regroup regroup) {
  int ranks = 0;
  int lowest = group.leader();
  for (const Group& next : regroup.groups) {
    ranks += next.ranks.size();
    lowest = std::min(lowest, next.leader());
  }
  if (ranks == group.ranks.size()) return Gathering{{group.leader()}, std::move(regroup)};
  const auto [place, is_first] = open_.try_emplace(lowest);
  Open& open = place->second;
  if (is_first) {
    open = {{{}, std::move(regroup)}, ranks};
  } else if (open.gathering.regroup != regroup) {
    return std::nullopt;
  }
  open.gathering.parts.push_back(group.leader());
  open.missing -= group.ranks.size();
  if (open.missing > 0) return Gathering{};
  return std::move(open_.extract(place).mapped().gathering);
}

}  // namespace regroup
