// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

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

}  // namespace regroup
