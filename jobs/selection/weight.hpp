// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "jobs/configuration/experiment.hpp"

namespace regroup {

/// For how long the ranks of a measurement are likely to be busy.
double measuring_s(const Scenario& measurement);

/// How many processes the task at `place` is started with: one where it is simulated.
int processes_of(const Experiment& experiment, std::size_t place);

/// About how many milliseconds the task at `place` takes, for dividing tasks. Nothing in it was
/// measured or depends on how fast this machine is: who asks elsewhere gets the same number.
std::int64_t weight_of(const Experiment& experiment, std::size_t place);

}  // namespace regroup
