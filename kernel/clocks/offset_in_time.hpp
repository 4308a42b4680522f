// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

namespace regroup {

/// Offset of the clock of another host at one time, in seconds.
struct ClockReading {
  double at = 0;      ///< on our clock
  double offset = 0;  ///< the other clock minus ours
  double error = 0;   ///< maximum error of the offset
};

/// Measures the offset of another host's clock by requests and replies. A remote reading is assumed
/// to occur in the middle of the round trip, with an error of at most half of it (Cristian, 1989).
/// So the exchange with the shortest round trip is used.
class Exchanges {
 public:
  /// The search ends after this number of consecutive exchanges without a shorter round trip.
  static constexpr int in_vain = 20;
  /// Limits for busy hosts: the search also ends after this number of exchanges or seconds.
  static constexpr int most = 1000;
  static constexpr double longest_s = 1;

  /// `sent` and `returned` are times of our clock, `there` of the other one.
  void add(double sent, double there, double returned);

  bool enough() const;

  /// Requires at least one exchange.
  const ClockReading& best() const { return best_; }

 private:
  ClockReading best_;
  double shortest_ = std::numeric_limits<double>::infinity();
  double took_ = 0;
  double began_ = 0;
  int number_ = 0;
  int without_gain_ = 0;
};

/// The offset of another clock as a function of time. Clocks drift by some µs per second, so it is
/// linear between readings. Corrected times never go backwards.
class OffsetInTime {
 public:
  /// `reading` must be later than all earlier ones.
  void add(const ClockReading& reading);

  /// Returns the offset at time `at`: linear between readings, constant beyond them. The error is
  /// at most `error()` if the drift is constant between readings.
  double between(double at) const;
  double error() const { return error_; }

  /// Extrapolates the offset beyond the last reading by the mean drift since the first.
  /// `predicted_error()`: largest error of such predictions, as observed at each next reading.
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
