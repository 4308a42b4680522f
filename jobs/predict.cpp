// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/predict.hpp"

#include "kernel/virtual/engine.hpp"

namespace regroup {

/// 0.9 s for 64 ranks and 2.4 s for 128 on 2 cores.
static double launching_s(int ranks) { return 0.3 + 0.012 * ranks; }

double predicted_makespan_s(const Scenario& scenario) { return simulate(scenario).makespan_s(); }

double predicted_wall_s(const Scenario& scenario) {
  if (scenario.engine == "virtual") return 1e-5 * scenario.ranks;
  // Up to 10 ms for each rank were measured, with asynchronous.
  if (scenario.engine == "simgrid") return 0.2 + 0.01 * scenario.ranks;
  // Communication: 5 % of the makespan.
  return launching_s(scenario.ranks) + 1.05 * predicted_makespan_s(scenario);
}

double predicted_wall_s(const Measurement& measurement) {
  // All ranks meet a few times for each sample: 64 on 2 cores take 60 to 150 ms for it.
  const double sample_s = 1e-3 * measurement.ranks;
  return launching_s(measurement.ranks) + sample_s * measurement.parameters.real("samples");
}

}  // namespace regroup
