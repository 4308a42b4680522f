// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernel/clocks/exchanges.hpp"

namespace regroup {

/// What another clock is ahead of ours, over the time: clocks drift apart, by some µs in a second.
/// A straight line leads from each reading to the next. It never turns time back, because both
/// clocks went on between two readings.
class OffsetInTime {
 public:
  /// Later than those before.
  void add(const ClockReading& reading);

  /// Linear between the readings, the nearest one's beyond them. Wrong by `error()` at most, where
  /// clocks drift evenly from one reading to the next.
  double between(double at) const;
  double error() const { return error_; }

  /// What is known of a time after the last reading: that the clocks go on to drift as they did
  /// since the first. Each next reading tells how wrong that had become; with that reading's own
  /// error it is `predicted_error()` at most.
  double predicted(double at) const;
  double predicted_error() const { return predicted_error_; }

  const ClockReading& first() const { return readings_.front(); }
  int readings() const { return static_cast<int>(readings_.size()); }

 private:
  std::vector<ClockReading> readings_;
  double rate_ = 0;
  double error_ = 0;
  double predicted_error_ = 0;
};

}  // namespace regroup
