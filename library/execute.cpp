// SPDX-License-Identifier: BSD-3-Clause
#include "library/execute.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "engines/mpi/engine.hpp"
#include "kernel/faults.hpp"
#include "kernel/files/files.hpp"
#include "library/continuation.hpp"
#include "library/guard.hpp"
#include "library/input_files.hpp"
#include "library/launcher.hpp"
#include "library/resolve.hpp"
#include "library/shared_by_ranks.hpp"
#include "measurements/measure.hpp"

namespace regroup {
namespace {

std::vector<std::byte> read_bytes(const std::string& file) {
  const std::string text = read_file(file).value_or("");
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// Injects the faults of `rank`.
void inject(const std::vector<Fault>& faults, int rank, RealRun& real, LossWatch* watch) {
  for (const Fault& fault : faults) {
    if (fault.rank != rank) continue;
    if (fault.kind == Fault::Kind::slow) {
      real.slower = fault.factor;
    } else if (watch != nullptr && fault.at_item > 0) {
      watch->injure(fault.at_item, fault.kind == Fault::Kind::kill ? SIGKILL : SIGSTOP);
    } else if (watch != nullptr) {
      BlackBox& box = watch->box();
      (fault.kind == Fault::Kind::kill ? box.kill_at_s : box.stop_at_s) = fault.at_s;
    }
  }
}

/// Throws std::runtime_error if a file of the walker is missing here or has changed since the sweep
/// began, because chains would depend on the rank.
void check_files_of_walker(const Task& task) {
  const std::vector<std::string> files = InputFiles::of_walker(task);
  if (files.empty() || task.run().inputs.empty()) return;
  InputFiles here;
  here.read(task);
  if (here.hash(task) == task.run().inputs) return;
  throw std::runtime_error(
      fmt::format("{} is missing on this host, or has changed since the sweep began; all ranks "
                  "must read the same file",
                  fmt::join(files, ", ")));
}

/// Throws std::runtime_error if all chains that have items have failed.
void check_not_all_failed(const Items& items, const Outcome& outcome) {
  const std::vector<ChainFailure>& failures = outcome.failures;
  const auto chains = std::ranges::count_if(items, [](std::int64_t n) { return n > 0; });
  if (failures.empty() || static_cast<std::ptrdiff_t>(failures.size()) < chains) return;
  const ChainFailure& first = failures.front();
  throw std::runtime_error(fmt::format("all of its chains failed; chain {}, item {}: {}",
                                       first.number, first.item, first.reason));
}

Outcome execute_run(const Task& task, MPI_Comm world, const std::string& states,
                    const Listeners& listeners) {
  const Run& run = task.run();
  check_files_of_walker(task);
  const auto items = shared_by_ranks([&] { return initial_items(task); });
  const StateFiles files = state_files(task, states);
  const ReportPlan plan = report_plan_of(task);
  RealRun real;
  real.walkers = source_of(*run.walker.row, run.walker.options);
  std::optional<LossWatch> watch;
  if (listeners.box != nullptr) watch.emplace(losses_file(listeners.outcome_file), *listeners.box);
  Processes processes(task.waiting, world, watch ? &*watch : nullptr);
  real.walkers.report_every = plan.every;
  Items left;
  if (!states.empty()) left = continue_from(files, run.save_every, *items, real, processes);
  const auto input =
      shared_by_ranks([&] { return resolve(task, *items, states.empty() ? *items : left); });
  real.walkers.thin = plan.thin;
  real.walkers.keep_draws = plan.keep_draws;
  real.walkers.errors_end_chain = run.errors_end_chain();
  real.walkers.enough = {run.until_r_hat, run.until_effective_samples};
  real.walkers.on_reports = listeners.on_reports;
  real.on_start = listeners.on_start;
  real.position = listeners.position;
  if (input->strategy) {
    real.make = maker(*input->strategy);
  } else if (watch || input->groups.with_gap() != nullptr) {
    real.make = maker(*find_entry(strategies(), "range"));
  }
  inject(run.fault_plan().draw(task.ranks, task.stream(), task.timeout_s), rank_in(world), real,
         watch ? &*watch : nullptr);
  std::optional<Recovery> recovery;
  if (watch) {
    watch->box().item_timeout_s = run.item_timeout_s;
    recovery.emplace(Recovery{
        *watch, [&](WalkerSource& walkers) { return read_states(files, *items, walkers); },
        [&](int rank) { return read_bytes(last_record_file(listeners.outcome_file, rank)); },
        [&, resumed = resumed_items(real)](Outcome outcome) {
          check_not_all_failed(*items, outcome);
          outcome.resumed_items = resumed;
          listeners.store(outcome);
        }});
    real.recovery = &*recovery;
  }
  Outcome outcome = execute(input, real, processes);
  if (watch) return outcome;  // which has been stored
  outcome.resumed_items = resumed_items(real);
  check_not_all_failed(*items, outcome);
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
