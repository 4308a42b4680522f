// SPDX-License-Identifier: BSD-3-Clause
#include "library/execute.hpp"

#include <numeric>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "library/continuation.hpp"
#include "library/launcher.hpp"
#include "library/resolve.hpp"
#include "measurements/measure.hpp"

namespace regroup {
namespace {

Outcome execute_run(const Task& task, MPI_Comm world, const std::string& states,
                    const Listeners& listeners) {
  const Run& run = task.run();
  const Items items = initial_items(task);
  const StateFiles files = state_files(task, states);
  const ReportPlan plan = report_plan_of(task);
  Items left = items;
  Hands hands;
  hands.walkers = source_of(*run.walker.row, run.walker.options);
  Processes processes(task.waiting, world);
  hands.walkers.report_every = plan.every;
  if (!states.empty()) left = continue_from(files, run.save_every, items, hands, processes);
  RunInput input = resolve(task, left);
  hands.walkers.thin = plan.thin;
  hands.walkers.keep_draws = plan.keep_draws;
  hands.walkers.enough = {run.until_r_hat, run.until_effective_samples};
  hands.walkers.on_reports = listeners.on_reports;
  hands.on_start = listeners.on_start;
  hands.position = listeners.position;
  if (input.strategy) {
    hands.make = maker(*input.strategy);
  } else if (input.groups.with_gap() != nullptr) {  // else a range communicator does
    hands.make = maker(*find_entry(strategies(), "create_group"));
  }
  Outcome outcome = execute(std::move(input), hands, processes);
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
