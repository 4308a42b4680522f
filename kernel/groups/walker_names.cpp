// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/groups/walker_names.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace regroup {

WalkerNames WalkerNames::multiples(int groups, int group_size) {
  WalkerNames names;
  names.groups_ = groups;
  names.turn_ = groups * group_size;
  return names;
}

WalkerNames::WalkerNames(std::vector<int> lowest, int ranks)
    : groups_(static_cast<int>(lowest.size())), turn_(ranks), lowest_(std::move(lowest)) {}

std::size_t WalkerNames::most() const {
  const auto groups = static_cast<std::size_t>(groups_);
  const auto names = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (lowest_.empty()) return names / static_cast<std::size_t>(turn_ / groups_);
  return names / static_cast<std::size_t>(turn_) * groups;
}

int WalkerNames::name(std::size_t walker) const {
  if (lowest_.empty()) return static_cast<int>(walker) * (turn_ / groups_);
  const auto groups = static_cast<std::size_t>(groups_);
  return static_cast<int>(walker / groups) * turn_ + lowest_[walker % groups];
}

int WalkerNames::number(int name) const {
  if (lowest_.empty()) return name / (turn_ / groups_);
  const auto place = std::ranges::lower_bound(lowest_, name % turn_) - lowest_.begin();
  return name / turn_ * groups_ + static_cast<int>(place);
}

}  // namespace regroup
