// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "pool/task_times.hpp"

namespace regroup {

/// The assignment of the tasks of a round to groups. The pool's smallest groups are numbered from
/// left to right; adjacent groups execute a wide task together. Each group first executes its wide
/// tasks, in the order of `wide`, and then takes tasks from the queue of its set.
struct PoolPlan {
  struct Wide {
    int task = 0;
    int first = 0;  ///< first group that executes it
    int width = 1;  ///< number of groups that execute it
  };
  std::vector<Wide> wide;
  std::vector<std::vector<int>> queues;  ///< by set: tasks in the order of execution
  double expected_s = 0;                 ///< of the round, in the unit of TaskTimes::expected
};

/// Plans the tasks 0 to `tasks` - 1. `set_of`: the set of each group; groups of a set share a
/// queue. `overhead_s`: time to start a task in several groups.
///
/// The longest tasks are wide if that ends the round earlier: each task that would exceed a limit
/// gets the smallest width, a power of two or all groups, with which it does not. The plan uses the
/// best of several limits. Narrow tasks follow, the longest first (Graham, SIAM J. Appl. Math. 17,
/// 1969). As long as the speed-up is unknown, one task is tried with all groups.
PoolPlan plan(int tasks, const TaskTimes& times, const std::vector<int>& set_of, double overhead_s);

}  // namespace regroup
