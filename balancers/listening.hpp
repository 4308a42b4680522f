// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "regroup/balancer.hpp"

namespace regroup {

/// Works on `items` items of the group and looks for messages as often as costs little: after every
/// item, or more seldom where that would take more than a two-hundredth of the time.
inline Work work_listening(std::int64_t items, const Group& group, const Forecast& forecast) {
  constexpr double most_looking = 0.005;
  const double item_s = forecast.item_s(group.ranks.size());
  const double order_s = forecast.order_s(group.ranks.size());
  if (order_s <= most_looking * item_s) return {items, true};
  const double unheard = std::ceil(order_s / (most_looking * item_s));
  if (unheard >= static_cast<double>(items)) return {items, false};
  return {static_cast<std::int64_t>(unheard), false};
}

}  // namespace regroup
