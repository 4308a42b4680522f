// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>

#include "jobs/run_record.hpp"

namespace regroup {

/// Executes `runs` in virtual time on all cores, and hands over the record of each in the order of
/// `runs`, on the calling thread. Where one of them has more than 2^16 ranks they are executed one
/// at a time, so that the memory of two does not add up and each run's time and memory are its own;
/// `memory_mb` is measured only then. Ends early when `done` answers false or an interrupt comes.
void simulate_all(std::span<const Scenario> runs, const std::function<bool(RunRecord)>& done);

}  // namespace regroup
