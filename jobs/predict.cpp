// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/predict.hpp"

#include "kernel/virtual/engine.hpp"

namespace regroup {

double predicted_makespan_s(const Scenario& scenario) { return simulate(scenario).makespan_s(); }

double predicted_wall_s(const Scenario& scenario) {
  // Launching: 0.9 s for 64 ranks and 2.4 s for 128 on 2 cores. Communication: 5 % of the makespan.
  if (scenario.engine == "virtual") return 1e-5 * scenario.ranks;
  // Up to 10 ms for each rank were measured, with asynchronous.
  if (scenario.engine == "simgrid") return 0.2 + 0.01 * scenario.ranks;
  return 0.3 + 0.012 * scenario.ranks + 1.05 * predicted_makespan_s(scenario);
}

}  // namespace regroup
