// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "regroup/balancer.hpp"

namespace regroup {

/// In logarithms: groups become smaller for 3 %.
inline constexpr double clearly_slower = 0.03;

/// Items of a group, compared with those of the same chain before the group changed its size.
struct SizeComparison {
  int before = 0;  ///< ranks
  int ranks = 0;   ///< after that
  std::int64_t items_before = 0;
  std::int64_t items = 0;
  double log_ratio = 0;  ///< of the mean times of an item, after to before
  double variance = 0;   ///< of the logarithm of the time of an item

  /// The standard error of log_ratio.
  double error() const {
    return std::sqrt(variance / static_cast<double>(items_before) +
                     variance / static_cast<double>(items));
  }
  bool is_slower() const { return log_ratio > clearly_slower + 2 * error(); }
  bool is_faster() const { return log_ratio < -2 * error(); }
  bool is_decided() const { return is_slower() || is_faster() || items >= enough; }

  /// More items after the change.
  void add(const SizeComparison& more);

  static constexpr std::int64_t enough = 32;
  static constexpr std::int64_t enough_before = 4;
};

/// Whether groups of so many ranks are as good as equally fast.
inline bool about_equal(int ranks, int others) {
  return std::abs(ranks - others) <= std::min(ranks, others) / 8;
}

/// Of what was measured with `ranks` ranks, but for the items in `told`, with what was measured
/// before.
SizeComparison compared(const ItemTimes& before, const ItemTimes& now, const ItemTimes& told);

/// Item times by the size of the group, relative to that of one rank: as is believed, corrected by
/// what was measured. About equal sizes count as one.
struct SpeedModel {
  struct Size {
    double log_time = 0;  ///< measured, relative to that of one rank
    double error = 0;     ///< of log_time, a standard error
    std::int64_t items = 0;
    double correction = 0;  ///< of what is believed, by this and nearby sizes: the logarithm
    double correction_error = 0;
  };

  int start = 0;                            ///< ranks of the largest group at the start
  std::map<int, Size> sizes = {};           ///< measured, by ranks
  std::map<int, SizeComparison> open = {};  ///< of sizes of which more items are to tell
  double unit_s = 0;                        ///< of an item on one rank
  double slope = 0;  ///< of the correction, by the logarithm of the size, beyond the largest

  /// Whether forecasts are to be made again.
  bool add(const SizeComparison& comparison, const Forecast& believed);
  /// Whether the forecast of an item in a group of so many ranks is about e^`log_s` seconds.
  bool fits(int ranks, double log_s, const Forecast& believed) const;
  /// Scales all forecasts so that it is.
  void fit(int ranks, double log_s, const Forecast& believed);

  /// Logarithm of the time of an item, relative to that of one rank.
  double log_time(int ranks, const Forecast& believed) const;

  Forecast forecast(const Forecast& believed) const;

  /// The size that was measured and is about equal to `ranks`; otherwise `ranks`.
  int key(int ranks) const;
  /// Whether so many ranks, or about as many, were measured.
  bool knows(int ranks) const;

  /// Of the sizes measured, the largest that is not found to be clearly slower than another one.
  int best(const Forecast& believed) const;
  /// The smallest and the largest that was measured.
  int smallest() const { return sizes.empty() ? start : sizes.begin()->first; }
  int largest() const { return sizes.empty() ? start : sizes.rbegin()->first; }
  /// Sizes above and below the best one that are to be tried, between it and the next ones that
  /// were measured or beyond these, or such a one that is in doubt; 0: none.
  int above(const Forecast& believed) const;
  int below(const Forecast& believed) const;
  /// The size next below the best one, if it was measured and may be as good; otherwise 0.
  int doubtful_below(const Forecast& believed) const;
  /// All groups may become as large.
  int trusted(const Forecast& believed) const;

 private:
  /// The largest size measured that is clearly smaller; 0: none.
  int next_below(int ranks) const;
  /// log_time(ranks) without smoothing.
  double measured(int ranks, const Forecast& believed) const;
  /// Ends the open comparison of `ranks`, and before it one of the size that it starts from.
  void settle(int ranks, const Forecast& believed);
  /// A rough standard error of log_time(ranks), by the sizes measured.
  double error_of(int ranks) const;
  void correct(const Forecast& believed);
};

}  // namespace regroup
