// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/ranks/execute.hpp"

#include <array>

#include "jobs/catalog/measured.hpp"
#include "kernel/mpi/engine.hpp"
#include "kernel/mpi/measurement/measure.hpp"

namespace regroup {
namespace {

struct KindOfMeasurement {
  std::string_view name;
  FindFigures find_figures;
};
constexpr std::array kinds{KindOfMeasurement{"creation", measure_creation},
                           KindOfMeasurement{"collectives", measure_collectives},
                           KindOfMeasurement{"steps", measure_steps}};

Outcome execute_run(const Scenario& scenario, MPI_Comm world, const Catalog& catalog) {
  Run run = resolve(scenario, catalog);
  Hands hands;
  const WalkerEntry& walker = *find_entry(catalog.walkers, scenario.walker.name);
  const Options& options = scenario.walker.options;
  hands.walkers.make = [&](ChainName chain) { return walker.make(options, chain); };
  hands.walkers.has_state = walker.state_bytes(options) > 0;
  hands.waiting = scenario.waiting;
  if (run.strategy) hands.make = maker(run.strategy->name);
  return execute(std::move(run), hands, world);
}

}  // namespace

Outcome execute(const Scenario& task, MPI_Comm world, const Catalog& catalog) {
  if (task.is_run()) return execute_run(task, world, catalog);
  Subject subject;
  subject.find_figures = find_entry(kinds, task.measure.name)->find_figures;
  subject.ranks = task.ranks;
  subject.waiting = task.waiting;
  subject.options = task.measure.options;
  subject.layers = layers_of(task, catalog);
  if (const std::string_view name = strategy_of(task); !name.empty()) {
    subject.strategy = *find_entry(catalog.strategies, name);
    subject.make = maker(name);
  }
  return measure(subject, world);
}

}  // namespace regroup
