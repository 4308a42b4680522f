// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "driver/store/record.hpp"
#include "regroup/costs.hpp"

namespace regroup {

/// Runs that several threads create on demand.
struct Runs {
  std::size_t number = 0;
  std::function<Task(std::size_t)> at;
  std::function<int(std::size_t)> ranks;  ///< of the run at an index
  /// The communication costs of the run at an index; if not set, those of its configuration.
  std::function<Costs(std::size_t)> costs = {};
  int jobs = 0;  ///< largest number executed at a time; 0: one for each core
};

/// Returns the number of runs of `ranks` ranks that fit into available memory; at least one.
std::int64_t fitting_runs(int ranks);

/// Simulates `runs`, `jobs` at a time, or fewer if no more threads can be started or memory is
/// short, and passes each result to `done`, in order, on the calling thread; few results are held
/// at a time. Measures `memory_mb` if `jobs` is 1. A run that takes longer than its `timeout_s` has
/// the status timeout. Stops within milliseconds if `done` returns false or an interrupt arrives;
/// runs in progress are then dropped.
void simulate_all(const Runs& runs, const std::function<bool(Finished)>& done);

}  // namespace regroup
