// SPDX-License-Identifier: BSD-3-Clause
#include "library/execute.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "kernel/files/files.hpp"
#include "library/continuation.hpp"
#include "library/guard.hpp"
#include "library/input_files.hpp"
#include "library/launcher.hpp"
#include "library/resolve.hpp"
#include "measurements/measure.hpp"

namespace regroup {
namespace {

std::vector<std::byte> read_bytes(const std::string& file) {
  const std::string text = read_file(file).value_or("");
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Throws std::runtime_error where a file that the walker reads is not here as it was when the
/// sweep began: chains would depend on the rank.
void check_files_of_walker(const Task& task) {
  const std::vector<std::string> files = InputFiles::of_walker(task);
  if (files.empty() || task.run().inputs.empty()) return;
  InputFiles here;
  here.read(task);
  if (here.hash(task) == task.run().inputs) return;
  throw std::runtime_error(
      fmt::format("{} is missing here, or is not what it was when the sweep began; every rank must "
                  "read the same file",
                  fmt::join(files, ", ")));
}

Outcome execute_run(const Task& task, MPI_Comm world, const std::string& states,
                    const Listeners& listeners) {
  const Run& run = task.run();
  check_files_of_walker(task);
  const Items items = initial_items(task);
  const StateFiles files = state_files(task, states);
  const ReportPlan plan = report_plan_of(task);
  Items left = items;
  Hands hands;
  hands.walkers = source_of(*run.walker.row, run.walker.options);
  std::optional<LossWatch> watch;
  if (listeners.box != nullptr) watch.emplace(losses_file(listeners.outcome_file), *listeners.box);
  Processes processes(task.waiting, world, watch ? &*watch : nullptr);
  hands.walkers.report_every = plan.every;
  if (!states.empty()) left = continue_from(files, run.save_every, items, hands, processes);
  RunInput input = resolve(task, items, left);
  hands.walkers.thin = plan.thin;
  hands.walkers.keep_draws = plan.keep_draws;
  hands.walkers.enough = {run.until_r_hat, run.until_effective_samples};
  hands.walkers.on_reports = listeners.on_reports;
  hands.on_start = listeners.on_start;
  hands.position = listeners.position;
  if (input.strategy) {
    hands.make = maker(*input.strategy);
  } else if (watch || input.groups.with_gap() != nullptr) {  // else a range communicator does
    hands.make = maker(*find_entry(strategies(), "create_group"));
  }
  const std::int64_t resumed_items =
      std::reduce(items.begin(), items.end()) - std::reduce(left.begin(), left.end());
  std::optional<Recovery> recovery;
  if (watch) {
    recovery.emplace(Recovery{
        *watch, [&](WalkerSource& walkers) { return read_states(files, items, walkers); },
        [&](int rank) { return read_bytes(last_record_file(listeners.outcome_file, rank)); },
        [&](Outcome outcome) {
          outcome.resumed_items = resumed_items;
          listeners.store(outcome);
        }});
    hands.recovery = &*recovery;
  }
  Outcome outcome = execute(std::move(input), hands, processes);
  outcome.resumed_items = resumed_items;
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
