// SPDX-License-Identifier: BSD-3-Clause
#include "library/execute.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "engines/mpi/surroundings.hpp"
#include "library/resolve.hpp"
#include "measurements/bench.hpp"

namespace regroup {
namespace {

struct KindOfMeasurement {
  std::string_view name;
  Find find;
};
constexpr std::array kinds{KindOfMeasurement{"creation", measure_creation},
                           KindOfMeasurement{"collectives", measure_collectives},
                           KindOfMeasurement{"steps", measure_steps},
                           KindOfMeasurement{"items", measure_items},
                           KindOfMeasurement{"sort", measure_sort}};

WalkerSource source_of(const Choice& walker, const Catalog& catalog) {
  const WalkerEntry& entry = *find_entry(catalog.walkers, walker.name);
  return {
      [&entry, options = walker.options](ChainName chain) { return entry.make(options, chain); },
      entry.state_bytes(walker.options) > 0, entry.open_end};
}

/// What the states leave of `items`, on all ranks of `world`, of which the first alone reads it.
/// Where it throws the others wait: whoever runs them ends them (rank_main.cpp).
Items items_left_everywhere(Items items, const StateFiles& files, MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  if (rank == 0) items = items_left(items, files);
  MPI_Bcast(items.data(), static_cast<int>(items.size()), MPI_INT64_T, 0, world);
  return items;
}

Outcome execute_run(const Scenario& scenario, MPI_Comm world, const Catalog& catalog,
                    const std::string& states, const Listeners& listeners) {
  const Items items = initial_items(scenario, catalog);
  const StateFiles files = state_files(scenario, states);
  Items left = items;
  Hands hands;
  hands.walkers = source_of(scenario.walker, catalog);
  if (!states.empty()) {
    left = items_left_everywhere(items, files, world);
    hands.walkers.files = &files;
    hands.walkers.save_every = scenario.save_every;
    std::ranges::transform(items, left, std::back_inserter(hands.walkers.executed_before),
                           std::minus());
  }
  RunInput run = resolve(scenario, left, catalog);
  hands.walkers.report_every = scenario.report_every;
  hands.walkers.enough = {scenario.until_r_hat, scenario.until_effective_samples};
  hands.walkers.on_reports = listeners.on_reports;
  hands.on_start = listeners.on_start;
  hands.waiting = scenario.waiting;
  if (run.strategy) {
    hands.make = maker(*run.strategy);
  } else if (run.groups.with_gap() != nullptr) {  // else a range communicator does
    hands.make = maker(*find_entry(catalog.strategies, "create_group"));
  }
  Outcome outcome = execute(std::move(run), hands, world);
  outcome.resumed_items =
      std::reduce(items.begin(), items.end()) - std::reduce(left.begin(), left.end());
  return outcome;
}

}  // namespace

Outcome execute(const Scenario& task, MPI_Comm world, const Catalog& catalog,
                const std::string& states, const Listeners& listeners) {
  if (task.is_run()) return execute_run(task, world, catalog, states, listeners);
  Subject subject;
  subject.find = find_entry(kinds, task.measure.name)->find;
  subject.ranks = task.ranks;
  subject.waiting = task.waiting;
  subject.options = task.measure.options;
  subject.layers = layers_of(task, catalog);
  if (needs_nodes(task, catalog)) {
    const NodeMap nodes(find_nodes(own_location().host, world));
    const std::string reason = impossible(task, catalog, nodes);
    if (!reason.empty()) throw Unsupported(reason);
    subject.layers = layers_of(task, catalog, nodes);
  }
  subject.walkers = source_of(task.walker, catalog);
  subject.item_s = task.item_ms / 1000;
  subject.stream = task.stream();
  subject.on_start = listeners.on_start;
  if (const std::string_view name = strategy_of(task); !name.empty()) {
    subject.strategy = *find_entry(catalog.strategies, name);
    subject.make = maker(subject.strategy);
  }
  return measure(subject, world);
}

}  // namespace regroup
