// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "pool/task_times.hpp"

namespace regroup {

/// Who executes the tasks of a round. The pool's smallest groups are numbered from left to right;
/// several neighbours together execute a wide task. Each group first executes its wide tasks, in
/// the order of `wide`, and then takes tasks from the queue of its set.
struct PoolPlan {
  struct Wide {
    int task = 0;
    int first = 0;  ///< of the groups that execute it
    int width = 1;  ///< how many they are
  };
  std::vector<Wide> wide;
  std::vector<std::vector<int>> queues;  ///< of each set, tasks in the order of execution
  double expected_s = 0;                 ///< the round, in the unit of TaskTimes::expected
};

/// A plan of the tasks 0 to `tasks` - 1. `set_of`: of each group; those of a set share a queue.
/// `overhead_s`: of starting a task in several groups.
///
/// The longest tasks are wide, as far as that ends the round earlier: all that would take longer
/// than a limit get the smallest width, a power of two or all groups, with which they do not. The
/// best of several limits is taken. Narrow tasks follow, the longest first (Graham, SIAM J. Appl.
/// Math. 17, 1969). As long as the speed-up is not known, a task is tried with all groups.
PoolPlan plan(int tasks, const TaskTimes& times, const std::vector<int>& set_of, double overhead_s);

}  // namespace regroup
