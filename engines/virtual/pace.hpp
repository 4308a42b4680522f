// SPDX-License-Identifier: BSD-3-Clause
//
// Virtual time, and the times at which items end.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "regroup/costs.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// Virtual time in picoseconds: integers add up exactly, so equal times compare equal.
using Ticks = std::int64_t;

constexpr double seconds(Ticks ticks) { return static_cast<double>(ticks) * 1e-12; }

/// The largest time, 106 days. As the time of an event: never.
constexpr Ticks last_tick = std::numeric_limits<Ticks>::max();

/// Thrown if a run would take longer than last_tick.
class VirtualTimeEnds : public std::overflow_error {
 public:
  VirtualTimeEnds();
};

// These functions throw VirtualTimeEnds if the result exceeds last_tick.
constexpr Ticks ticks(double seconds) {
  const double number = seconds * 1e12 + 0.5;
  if (!(number < static_cast<double>(last_tick))) throw VirtualTimeEnds();
  return static_cast<Ticks>(number);
}
constexpr Ticks after(Ticks moment, Ticks duration) {
  Ticks sum = 0;
  if (__builtin_add_overflow(moment, duration, &sum)) throw VirtualTimeEnds();
  return sum;
}
constexpr Ticks times(std::int64_t number, Ticks duration) {
  Ticks product = 0;
  if (__builtin_mul_overflow(number, duration, &product)) throw VirtualTimeEnds();
  return product;
}

/// A sequence of items that a group executes.
struct Stretch {
  Ticks began = 0;
  int ranks = 0;
  int walker = 0;
  std::int64_t items_left = 0;  ///< items left of the walker at `began`
  std::int64_t items = 0;       ///< number of these items that the stretch contains
  bool listening = false;  ///< whether the leader looks for a message and sends an order per item
  int nodes = 0;           ///< number of nodes of the ranks; 0 if nodes do not affect costs
  double slowness = 1;     ///< factor by which the items take longer
  Ticks saving = 0;        ///< time to save the state after the last item
};

/// Computes the end times of items, including the overhead of a listening leader. If all items of a
/// group take equally long, it multiplies. Otherwise it adds up item by item, and `longest` keeps
/// stretches short, because a stretch that is cut off has been added up in vain.
class Pace {
 public:
  Pace(const ItemTime& time, const Costs& costs) : time_(time), costs_(costs) {}

  /// Returns a suitable length of a stretch for a group that has `items` items to execute.
  std::int64_t longest(std::int64_t items) const;

  /// Returns the end time of `stretch`.
  Ticks end(const Stretch& stretch) const;

  /// Returns `stretch`, cut off after the first item that ends at `moment` or later.
  Stretch until(Ticks moment, Stretch stretch) const;

 private:
  Ticks with_overhead(const Stretch& stretch, double seconds) const;
  Ticks item(const Stretch& stretch) const;
  Ticks item(const Stretch& stretch, std::int64_t number) const;

  const ItemTime& time_;
  const Costs& costs_;
};

}  // namespace regroup
