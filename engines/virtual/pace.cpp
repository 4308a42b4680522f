// SPDX-License-Identifier: BSD-3-Clause
#include "engines/virtual/pace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace regroup {

VirtualTimeEnds::VirtualTimeEnds()
    : std::overflow_error(
          fmt::format("it takes longer than virtual time lasts, which is {:.3g} s (106 days)",
                      seconds(last_tick))) {}

Ticks Pace::with_overhead(const Stretch& stretch, double seconds) const {
  seconds *= stretch.slowness;
  if (stretch.listening) seconds += costs_.look() + costs_.tell(stretch.ranks, stretch.nodes);
  // Every item takes at least one tick, so that time advances.
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
  if (!time_.varies()) {
    return after(after(stretch.began, times(stretch.items, item(stretch))), stretch.saving);
  }
  Ticks end = after(stretch.began, stretch.saving);
  for (std::int64_t i = 0; i < stretch.items; ++i) end = after(end, item(stretch, i));
  return end;
}

Stretch Pace::until(Ticks moment, Stretch stretch) const {
  std::int64_t items = 1;
  if (time_.varies()) {
    Ticks end = after(stretch.began, item(stretch, 0));
    for (; end < moment && items < stretch.items; ++items) end = after(end, item(stretch, items));
  } else {
    const Ticks passed = std::max<Ticks>(0, moment - stretch.began - 1);
    items = 1 + passed / item(stretch);
  }
  if (items < stretch.items) {
    stretch.items = items;
    stretch.saving = 0;
  }
  return stretch;
}

}  // namespace regroup
