// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

namespace regroup {

/// Offset of the clock of another host at one moment, in seconds.
struct ClockReading {
  double at = 0;      ///< on our clock
  double offset = 0;  ///< the other clock minus ours
  double error = 0;   ///< the offset is wrong by no more
};

/// Reads the clock of another host by messages and answers. It was read between sending and return:
/// in the middle, or wrong by at most half of the round trip (Cristian, 1989). So the exchange with
/// the shortest round trip counts.
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

/// The offset of another clock over time, a straight line from reading to reading, since clocks
/// drift by some µs a second. It never turns time back.
class OffsetInTime {
 public:
  /// Later than those before.
  void add(const ClockReading& reading);

  /// Linear between the readings, constant beyond. Wrong by at most `error()` if clocks drift
  /// evenly between readings.
  double between(double at) const;
  double error() const { return error_; }

  /// After the last reading, by the drift since the first. Wrong by at most `predicted_error()`, as
  /// each next reading has shown.
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
