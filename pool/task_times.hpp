// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace regroup {

/// Expected times of the tasks of a pool, from the caller's costs or from the previous round, and
/// the speed-up of wider groups, measured with tasks that are executed at several widths. The unit
/// of width is the pool's smallest group.
class TaskTimes {
 public:
  /// Begins a round of `tasks` tasks. `costs`: of each task, in any unit, or empty. Without costs,
  /// tasks are expected to take as long as in the previous round, if it had as many tasks.
  void begin(std::size_t tasks, std::span<const double> costs);

  /// Returns the expected time of `task` at width 1: in seconds, or in the unit of the costs before
  /// the first task was measured; 1 for all tasks if nothing is known.
  double expected(std::size_t task) const { return expected_[task]; }

  /// Returns whether expected() is in seconds.
  bool in_seconds() const { return in_seconds_; }

  /// Returns whether the speed-up is measured if `task` is executed at another width than 1.
  bool comparable(std::size_t task) const;

  /// Records that `task` took `seconds` at `width`.
  void add(std::size_t task, int width, double seconds);

  /// Returns the speed-up of groups of `width` over groups of width 1, as measured at this width or
  /// by Amdahl's law from the nearest measured width; 1 if nothing was measured.
  double speedup(int width) const;

  /// Returns the number of stored comparisons between width 1 and `width`.
  std::size_t comparisons(int width) const;

 private:
  void learn_unit();

  struct Measured {
    int width = 0;  ///< 0: not measured
    double seconds = 0;
  };

  bool in_seconds_ = false;
  std::vector<double> costs_;
  std::vector<double> expected_;
  std::vector<Measured> last_;     // of each task of the previous round
  std::vector<Measured> current_;  // of each task of this round
  double cost_s_ = 0;              // seconds at width 1 per unit of the caller's costs
  /// Times of the same task at width 1 and at another width.
  struct Comparison {
    double narrow_s;
    double wide_s;
  };
  std::map<int, std::vector<Comparison>> comparisons_;  // by width; only the latest
};

}  // namespace regroup
