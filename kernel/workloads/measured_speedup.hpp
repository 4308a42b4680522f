// SPDX-License-Identifier: BSD-3-Clause
//
// The measured speed-up: times of groups of some sizes, relative to one rank.
#pragma once

#include <string>
#include <vector>

#include "regroup/options.hpp"

namespace regroup {

/// The time of an item by the size of the group, at several sizes from 1 on. Between two sizes it
/// is a power of the size, and beyond the last constant.
class SpeedupCurve {
 public:
  struct Point {
    int ranks;
    double time;  ///< in any unit
  };

  /// `points`: by their ranks, from 1 on, which ascend; times are positive.
  explicit SpeedupCurve(const std::vector<Point>& points);

  /// The time that `ranks` ranks take, where one takes 1.
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

/// The curve of one setting of the file: rows that ended well and differ only in group size,
/// repetition and seed, of which the median counts. `setting` counts from 1 on, in the order of the
/// file; 0: the only one. Throws UserError, with the file, and the line of a wrong size or time, if
/// it cannot be read or has no such setting or no time of one rank.
SpeedupCurve read_speedup(const std::string& file, int setting);

}  // namespace regroup
