// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/ranks/execute.hpp"

#include "kernel/mpi/engine.hpp"

namespace regroup {

Outcome execute(const Scenario& scenario, MPI_Comm world, const Catalog& catalog) {
  Run run = resolve(scenario, catalog);
  Hands hands;
  hands.execute_item = find_entry(catalog.walkers, scenario.walker)->execute;
  hands.waiting = scenario.waiting;
  if (run.strategy) hands.make = maker(run.strategy->name);
  return execute(std::move(run), hands, world);
}

}  // namespace regroup
