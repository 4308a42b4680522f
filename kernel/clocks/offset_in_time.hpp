// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

namespace regroup {

/// What the clock of another host was ahead of ours, at one moment. In seconds.
struct ClockReading {
  double at = 0;      ///< on our clock
  double offset = 0;  ///< the other clock minus ours
  double error = 0;   ///< the offset is wrong by no more
};

/// Reads the clock of another host by messages: one goes there, and the answer says what time it
/// was. The other clock was read between sending and the return; in the middle, if both ways take
/// the same, and wrong by half of the round trip at most, however they differ (Cristian, 1989). So
/// the exchange with the shortest round trip counts.
class Exchanges {
 public:
  /// Ends the search when so many in a row bring no shorter round trip …
  static constexpr int in_vain = 20;
  /// … or, on a host that is never quiet, after so many or so long.
  static constexpr int most = 1000;
  static constexpr double longest_s = 1;

  /// `sent` and `returned` are on our clock, `there` on the other one.
  void add(double sent, double there, double returned);

  bool enough() const;

  /// After one exchange at least.
  const ClockReading& best() const { return best_; }

 private:
  ClockReading best_;
  double shortest_ = std::numeric_limits<double>::infinity();
  double took_ = 0;
  double began_ = 0;
  int number_ = 0;
  int without_gain_ = 0;
};

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
