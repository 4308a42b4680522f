// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/pace.hpp"

#include <algorithm>

namespace regroup {

Ticks Pace::with_overhead(const Stretch& stretch, double seconds) const {
  if (stretch.listening) seconds += costs_.look() + costs_.tell(stretch.ranks);
  // No item takes no time: where time stood still, items would never end.
  return std::max<Ticks>(1, ticks(seconds));
}

Ticks Pace::item(const Stretch& stretch) const {
  return with_overhead(stretch, time_.seconds(stretch.ranks));
}

Ticks Pace::item(const Stretch& stretch, std::int64_t number) const {
  return with_overhead(stretch,
                       time_.seconds(stretch.ranks, stretch.walker, stretch.items_left - number));
}

std::int64_t Pace::longest(std::int64_t items) const {
  return time_.varies() ? std::min<std::int64_t>(items, 64) : items;
}

Ticks Pace::end(const Stretch& stretch) const {
  if (!time_.varies()) return stretch.began + stretch.items * item(stretch);
  Ticks end = stretch.began;
  for (std::int64_t i = 0; i < stretch.items; ++i) end += item(stretch, i);
  return end;
}

Stretch Pace::until(Ticks moment, Stretch stretch) const {
  std::int64_t items = 1;
  if (time_.varies()) {
    Ticks end = stretch.began + item(stretch, 0);
    for (; end < moment && items < stretch.items; ++items) end += item(stretch, items);
  } else {
    const Ticks one = item(stretch);
    items = std::max<std::int64_t>(1, (moment - stretch.began + one - 1) / one);
  }
  stretch.items = std::min(items, stretch.items);
  return stretch;
}

}  // namespace regroup
