// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/ranks/execute.hpp"

#include <array>
#include <numeric>

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
                           KindOfMeasurement{"steps", measure_steps},
                           KindOfMeasurement{"items", measure_items}};

WalkerSource source_of(const Choice& walker, const Catalog& catalog) {
  const WalkerEntry& entry = *find_entry(catalog.walkers, walker.name);
  return {
      [&entry, options = walker.options](ChainName chain) { return entry.make(options, chain); },
      entry.state_bytes(walker.options) > 0, entry.open_end};
}

Outcome execute_run(const Scenario& scenario, MPI_Comm world, const Catalog& catalog,
                    const std::string& states) {
  const Items items = initial_items(scenario, catalog);
  const StateFiles files = state_files(scenario, states);
  const Items left = states.empty() ? items : items_left(items, files);
  Run run = resolve(scenario, left, catalog);
  Hands hands;
  hands.walkers = source_of(scenario.walker, catalog);
  if (!states.empty()) hands.walkers.files = &files;
  if (!states.empty()) hands.walkers.save_every = scenario.save_every;
  hands.walkers.report_every = scenario.report_every;
  hands.waiting = scenario.waiting;
  if (run.strategy) hands.make = maker(*run.strategy);
  Outcome outcome = execute(std::move(run), hands, world);
  outcome.resumed_items =
      std::reduce(items.begin(), items.end()) - std::reduce(left.begin(), left.end());
  return outcome;
}

}  // namespace

Outcome execute(const Scenario& task, MPI_Comm world, const Catalog& catalog,
                const std::string& states) {
  if (task.is_run()) return execute_run(task, world, catalog, states);
  Subject subject;
  subject.find_figures = find_entry(kinds, task.measure.name)->find_figures;
  subject.ranks = task.ranks;
  subject.waiting = task.waiting;
  subject.options = task.measure.options;
  subject.layers = layers_of(task, catalog);
  subject.walkers = source_of(task.walker, catalog);
  subject.item_s = task.item_ms / 1000;
  subject.stream = task.stream();
  if (const std::string_view name = strategy_of(task); !name.empty()) {
    subject.strategy = *find_entry(catalog.strategies, name);
    subject.make = maker(subject.strategy);
  }
  return measure(subject, world);
}

}  // namespace regroup
