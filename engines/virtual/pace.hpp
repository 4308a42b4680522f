// SPDX-License-Identifier: BSD-3-Clause
//
// Virtual time, and when in it the items of a group end.
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

/// The last moment that there is: 106 days.
constexpr Ticks last_tick = std::numeric_limits<Ticks>::max();

/// A run would take longer.
class VirtualTimeEnds : public std::overflow_error {
 public:
  VirtualTimeEnds();
};

// Throw VirtualTimeEnds where the result is past the last moment.
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

/// Items that a group executes one after the other.
struct Stretch {
  Ticks began = 0;
  int ranks = 0;
  int walker = 0;
  std::int64_t items_left = 0;  ///< of the walker when it began
  std::int64_t items = 0;       ///< to execute, of those
  bool listening = false;       ///< the leader looks for a message and gives an order for each item
  int nodes = 0;                ///< that the ranks are on, where that makes a difference
  double slowness = 1;          ///< the factor by which its items take longer
  Ticks saving = 0;             ///< the time to save the state after the last of them
};

/// Knows when items end, what a listening leader does between them included. Where all items of a
/// group take equally long it multiplies; with jitter it has to walk from item to item, and then
/// `longest` keeps what is walked in vain short.
class Pace {
 public:
  Pace(const ItemTime& time, const Costs& costs) : time_(time), costs_(costs) {}

  /// A good number of items for a stretch of a group that has `items` to execute.
  std::int64_t longest(std::int64_t items) const;

  /// The end of the stretch.
  Ticks end(const Stretch& stretch) const;

  /// The stretch up to the first end of an item that is not before `moment`.
  Stretch until(Ticks moment, Stretch stretch) const;

 private:
  Ticks with_overhead(const Stretch& stretch, double seconds) const;
  Ticks item(const Stretch& stretch) const;
  Ticks item(const Stretch& stretch, std::int64_t number) const;

  const ItemTime& time_;
  const Costs& costs_;
};

}  // namespace regroup
