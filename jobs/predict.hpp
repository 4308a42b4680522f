// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel/measurement/measurement.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// The makespan that `scenario` has when communication is free: its balancer in virtual time.
double predicted_makespan_s(const Scenario& scenario);

/// The wall time that the whole run, or measurement, is likely to take, launching included.
double predicted_wall_s(const Scenario& scenario);
double predicted_wall_s(const Measurement& measurement);

}  // namespace regroup
