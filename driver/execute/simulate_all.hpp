// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
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
};

/// Executes `runs` in virtual time on all cores, or on fewer if no more threads can be started, and
/// hands each over in their order, on the calling thread; a few are held at a time. Where one has
/// more than 2^16 ranks they are executed one at a time, and `memory_mb` is measured. A run that
/// takes longer than its `timeout_s` has the status timeout. Ends early, within milliseconds, when
/// `done` answers false or an interrupt comes; what is under way then is not handed over.
void simulate_all(const Runs& runs, const std::function<bool(Finished)>& done);

}  // namespace regroup
