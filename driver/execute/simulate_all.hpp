// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "driver/store/record.hpp"
#include "regroup/costs.hpp"

namespace regroup {

/// Runs that are made on demand, by several threads.
struct Runs {
  std::size_t number = 0;
  std::function<Task(std::size_t)> at;
  std::function<int(std::size_t)> ranks;  ///< of the one at that index
  /// What communication costs there; without: what the run says.
  std::function<Costs(std::size_t)> costs = {};
  int jobs = 0;  ///< the most that are executed at a time; 0: one for each core
};

/// How many runs of so many ranks fit into the memory that is available now; at least one.
std::int64_t fitting_runs(int ranks);

/// Executes `runs` in virtual time, `jobs` at a time, or fewer if no more threads can be started or
/// memory is short, and hands each over in their order, on the calling thread; a few are held at a
/// time. `memory_mb` is measured if `jobs` is 1. A run that takes longer than its `timeout_s` has
/// the status timeout. Ends early, within milliseconds, when `done` answers false or an interrupt
/// comes; what is under way then is not handed over.
void simulate_all(const Runs& runs, const std::function<bool(Finished)>& done);

}  // namespace regroup
