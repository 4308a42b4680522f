// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/ranks/execute.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/mpi/engine.hpp"

namespace regroup {

Outcome execute(const Scenario& scenario, MPI_Comm world, const Catalog& catalog) {
  Run run = resolve(scenario, catalog);
  Hands hands;
  hands.execute_item = find_entry(catalog.walkers, scenario.walker)->execute;
  hands.waiting = scenario.waiting;
  if (run.strategy) {
    const Constructor* constructor = find_entry(constructors(), run.strategy->name);
    if (constructor == nullptr) {
      throw std::invalid_argument(
          fmt::format("the MPI library lacks what {} calls", run.strategy->name));
    }
    hands.make = constructor->make;
  }
  return execute(std::move(run), hands, world);
}

}  // namespace regroup
