// SPDX-License-Identifier: BSD-3-Clause
#include "library/execute.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "library/launcher.hpp"
#include "library/resolve.hpp"
#include "measurements/measure.hpp"

namespace regroup {
namespace {

/// What the states leave of `items`, on all ranks of `world`, of which the first alone reads it.
/// Where it throws the others wait: whoever runs them ends them (rank_main.cpp).
Items items_left_everywhere(Items items, const StateFiles& files, MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  if (rank == 0) items = items_left(items, files);
  MPI_Bcast(items.data(), static_cast<int>(items.size()), MPI_INT64_T, 0, world);
  return items;
}

/// On the first rank of `world`: what the chains had reported by the states.
std::vector<ChainReport> reports_before(const Items& items, const StateFiles& files,
                                        MPI_Comm world) {
  int rank = 0;
  MPI_Comm_rank(world, &rank);
  std::vector<ChainReport> all;
  if (rank != 0) return all;
  for (int chain = 0; chain < static_cast<int>(items.size()); ++chain) {
    const auto saved = files.read(chain);
    std::ranges::move(files.take_reports(chain, saved ? saved->items : 0), std::back_inserter(all));
  }
  return all;
}

Outcome execute_run(const Task& task, MPI_Comm world, const std::string& states,
                    const Listeners& listeners) {
  const Run& run = task.run();
  const Items items = initial_items(task);
  const StateFiles files = state_files(task, states);
  const ReportPlan plan = report_plan_of(task);
  Items left = items;
  Hands hands;
  hands.walkers = source_of(*run.walker.row, run.walker.options);
  if (!states.empty()) {
    left = items_left_everywhere(items, files, world);
    hands.walkers.files = &files;
    hands.walkers.save_every = run.save_every;
    std::ranges::transform(items, left, std::back_inserter(hands.walkers.executed_before),
                           std::minus());
    hands.walkers.reports_before = reports_before(items, files, world);
  }
  RunInput input = resolve(task, left);
  hands.walkers.report_every = plan.every;
  hands.walkers.thin = plan.thin;
  hands.walkers.keep_draws = plan.keep_draws;
  hands.walkers.enough = {run.until_r_hat, run.until_effective_samples};
  hands.walkers.on_reports = listeners.on_reports;
  hands.on_start = listeners.on_start;
  hands.position = listeners.position;
  hands.waiting = task.waiting;
  if (input.strategy) {
    hands.make = maker(*input.strategy);
  } else if (input.groups.with_gap() != nullptr) {  // else a range communicator does
    hands.make = maker(*find_entry(strategies(), "create_group"));
  }
  Outcome outcome = execute(std::move(input), hands, world);
  outcome.resumed_items =
      std::reduce(items.begin(), items.end()) - std::reduce(left.begin(), left.end());
  return outcome;
}

}  // namespace

Outcome execute(const Task& task, MPI_Comm world, const std::string& states,
                const Listeners& listeners) {
  check_own_launcher();
  if (task.is_run()) return execute_run(task, world, states, listeners);
  return measure(task.measurement(), {task.seed, task.stream()}, task.waiting, listeners.on_start,
                 world);
}

}  // namespace regroup
