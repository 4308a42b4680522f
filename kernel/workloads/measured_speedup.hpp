// SPDX-License-Identifier: BSD-3-Clause
//
// The measured speed-up: item times of groups of several sizes, relative to one rank.
#pragma once

#include <string>
#include <vector>

#include "regroup/options.hpp"

namespace regroup {

/// The time of an item as a function of group size, given at several sizes. Between two sizes, it
/// is a power of the size; beyond the last size, it is constant.
class SpeedupCurve {
 public:
  struct Point {
    int ranks;
    double time;  ///< in any unit
  };

  /// `points`: in ascending order of ranks; the first has 1 rank. Times must be positive.
  explicit SpeedupCurve(const std::vector<Point>& points);

  /// Returns the time on `ranks` ranks, relative to one rank.
  double relative_time(int ranks) const;

 private:
  struct Knot {
    int ranks;
    double time;  // relative
    double log2_ranks;
    double log_time;
  };
  std::vector<Knot> knots_;
};

/// Reads the curve of one setting of the file, from the median times of rows with the status ok
/// that differ only in group size, repetition and seed. `setting`: number of the setting from 1, in
/// the order of the file; 0: the only one. Throws UserError with the file if it cannot be read,
/// lacks the setting or has no time of one rank, and with the line of an invalid size or time.
SpeedupCurve read_speedup(const std::string& file, int setting);

}  // namespace regroup
