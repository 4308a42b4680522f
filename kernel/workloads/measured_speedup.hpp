// SPDX-License-Identifier: BSD-3-Clause
//
// The speed-up that was measured on real processes (measurements of items): the times of groups of
// some sizes, relative to one rank.
#pragma once

#include <string>
#include <vector>

#include "regroup/options.hpp"

namespace regroup {

/// The time of an item by the size of the group, at several sizes, the first of which is 1.
///
/// Between two sizes it is on the line that joins their points where both axes are logarithmic: a
/// power of the size, as T / ranks is one. Like the points it never rises where the next one is
/// lower. Beyond the last size nobody knows, and more ranks make an item no faster.
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

/// The curve of one setting of the file: rows that ended well and differ in group size, repetition
/// and seed, but in nothing else that was configured or found. `setting` counts them from 1 on, in
/// the order of the file; 0: the file must have one alone. Of repetitions and seeds the median
/// counts. Throws UserError, with the file, and the line of what is no size or no time, where it
/// cannot be read, has no such setting or has no time of one rank.
SpeedupCurve read_speedup(const std::string& file, int setting);

}  // namespace regroup
