// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace regroup {

/// Expected times of the tasks of a pool, from the caller's costs or from the round before, and the
/// speed-up of wider groups, measured as tasks are executed at several widths. The unit of width is
/// the pool's smallest group.
class TaskTimes {
 public:
  /// A round of so many tasks. `costs`: of each, in any unit, or none. Without them, tasks are
  /// expected to take as long as those of the same numbers in the last round of as many.
  void begin(std::size_t tasks, std::span<const double> costs);

  /// Of `task` at width 1: in seconds, or in the unit of the costs before the first task was
  /// measured; 1 for all where nothing is known.
  double expected(std::size_t task) const { return expected_[task]; }

  /// Whether expected() is in seconds.
  bool in_seconds() const { return in_seconds_; }

  /// Whether `task` shows the speed-up if it is executed at another width than 1.
  bool comparable(std::size_t task) const;

  /// `task` took `seconds` at `width`.
  void add(std::size_t task, int width, double seconds);

  /// How much faster a group of that width is than one of width 1, by what was measured at that
  /// width or by Amdahl's law through the nearest one; 1 where nothing was measured.
  double speedup(int width) const;

  /// How many tasks have been compared at that width.
  std::size_t comparisons(int width) const;

 private:
  void learn_unit();

  struct Measured {
    int width = 0;  ///< 0: not yet
    double seconds = 0;
  };

  bool in_seconds_ = false;
  std::vector<double> costs_;
  std::vector<double> expected_;
  std::vector<Measured> last_;     // of each task of the round before
  std::vector<Measured> current_;  // … of this one
  double cost_s_ = 0;              // seconds at width 1 for a unit of the caller's costs
  /// The same task at width 1 and at another one.
  struct Comparison {
    double narrow_s;
    double wide_s;
  };
  std::map<int, std::vector<Comparison>> comparisons_;  // by width; the last few
};

}  // namespace regroup
