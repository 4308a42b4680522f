// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "regroup/balancer.hpp"

namespace regroup {

/// Difference of log item times from which a size counts as slower: 3 %.
inline constexpr double clearly_slower = 0.03;

/// A comparison of item times of the same chain before and after its group changed its size.
struct SizeComparison {
  int before = 0;  ///< number of ranks before the change
  int ranks = 0;   ///< number of ranks after the change
  std::int64_t items_before = 0;
  std::int64_t items = 0;
  double log_ratio = 0;  ///< mean log item time after the change, minus that before
  double variance = 0;   ///< of the log item time

  /// Returns the standard error of log_ratio.
  double error() const {
    return std::sqrt(variance / static_cast<double>(items_before) +
                     variance / static_cast<double>(items));
  }
  bool is_slower() const { return log_ratio > clearly_slower + 2 * error(); }
  bool is_faster() const { return log_ratio < -2 * error(); }
  bool is_decided() const { return is_slower() || is_faster() || items >= enough; }

  /// Adds more items after the change.
  void add(const SizeComparison& more);

  static constexpr std::int64_t enough = 32;
  static constexpr std::int64_t enough_before = 4;
};

/// Returns whether two group sizes are so close that they count as equally fast.
inline bool about_equal(int ranks, int others) {
  return std::abs(ranks - others) <= std::min(ranks, others) / 8;
}

/// Compares `now`, without the items in `told`, which were compared earlier, with `before`.
SizeComparison compared(const ItemTimes& before, const ItemTimes& now, const ItemTimes& told);

/// Item time as a function of group size, relative to one rank: a believed forecast, corrected by
/// measurements. About equal sizes count as one.
struct SpeedModel {
  struct Size {
    double log_time = 0;  ///< measured log item time, relative to one rank
    double error = 0;     ///< standard error of log_time
    std::int64_t items = 0;
    double correction = 0;  ///< added to the believed log item time; from this and nearby sizes
    double correction_error = 0;
  };

  int start = 0;                            ///< size of the largest group at the start
  std::map<int, Size> sizes = {};           ///< measured sizes, by number of ranks
  std::map<int, SizeComparison> open = {};  ///< of sizes that need more items
  double unit_s = 0;                        ///< item time on one rank
  double slope = 0;  ///< of the correction over the logarithm of the size, beyond the largest

  /// Adds a comparison. Returns whether forecasts must be recomputed.
  bool add(const SizeComparison& comparison, const Forecast& believed);
  /// Returns whether the forecast item time in a group of `ranks` ranks is about e^`log_s` seconds.
  bool fits(int ranks, double log_s, const Forecast& believed) const;
  /// Scales all forecasts so that it is e^`log_s` seconds.
  void fit(int ranks, double log_s, const Forecast& believed);

  /// Returns the logarithm of the item time, relative to one rank.
  double log_time(int ranks, const Forecast& believed) const;

  Forecast forecast(const Forecast& believed) const;

  /// Returns the measured size about equal to `ranks`, if there is one; otherwise `ranks`.
  int key(int ranks) const;
  /// Returns whether a size about equal to `ranks` was measured.
  bool knows(int ranks) const;

  /// Returns the largest measured size that is not clearly slower than another one.
  int best(const Forecast& believed) const;
  /// The smallest and the largest measured size; `start` if none was measured.
  int smallest() const { return sizes.empty() ? start : sizes.begin()->first; }
  int largest() const { return sizes.empty() ? start : sizes.rbegin()->first; }
  /// Return the size to try next above and below the best one: between it and the next measured
  /// size, beyond all measured sizes, or a measured size in doubt; 0: none.
  int above(const Forecast& believed) const;
  int below(const Forecast& believed) const;
  /// Returns the next measured size below the best one if it may be as good; otherwise 0.
  int doubtful_below(const Forecast& believed) const;
  /// Returns the size to which every group may grow.
  int trusted(const Forecast& believed) const;

 private:
  /// Returns the largest measured size that is clearly smaller than `ranks`; 0: none.
  int next_below(int ranks) const;
  /// Returns log_time(ranks) without smoothing.
  double measured(int ranks, const Forecast& believed) const;
  /// Ends the open comparison of `ranks`, after that of the size from which it starts, if open.
  void settle(int ranks, const Forecast& believed);
  /// Returns a rough standard error of log_time(ranks), from the measured sizes.
  double error_of(int ranks) const;
  void correct(const Forecast& believed);
};

}  // namespace regroup
