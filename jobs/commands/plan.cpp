// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "jobs/commands/commands.hpp"
#include "jobs/commands/planned.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/places/this_process.hpp"

namespace regroup {
namespace {

/// With more, starting and waiting take most of the time, or all of it.
constexpr long most_ranks_per_core = 256;

/// Ranks that this machine has not enough cores for. Elsewhere there may be enough.
void warn(int ranks) {
  const long cores = own_cores();
  if (ranks <= most_ranks_per_core * cores) return;
  fmt::print(
      "warning: {} ranks on {} cores, as this machine has them: more than {} on a core hardly "
      "run\n",
      ranks, cores, most_ranks_per_core);
}

std::string in_words(const std::optional<double>& seconds) {
  return seconds ? duration(*seconds) : "?";
}

void print_plan_of_runs(const Experiment& experiment, const Plan& plan) {
  fmt::print("{}", left_out_note(experiment.left_out(), experiment.noun()));
  fmt::print("\n{:>5}  {:>11}  {:>9}  {}\n", "run", "makespan_s", "wall", "parameters");
  std::size_t not_tried = 0;
  for (const PlannedTask& task : plan.tasks()) {
    const Scenario run = experiment.at(task.place);
    const auto& [makespan_s, failure] = task.prediction;
    if (!makespan_s && failure.empty()) ++not_tried;
    fmt::print("{:>5}  {:>11}  {:>9}  {}, {}{}\n", task.place + 1,
               makespan_s ? fmt::format("{:.4f}", *makespan_s) : "?", in_words(task.wall_s),
               run.engine, describe(run),
               failure.empty() ? "" : fmt::format(" [no prediction: {}]", failure));
  }
  const Allocation all = plan.allocation();
  fmt::print(
      "\nin all about {}{}. The makespan is what the balancer reaches when communication is "
      "free;\nthe wall time adds launching, and 5 % for communication.\n",
      duration(all.seconds),
      all.unknown == 0 ? "" : fmt::format(", and {} runs of unknown length", all.unknown));
  if (not_tried > 0) {
    fmt::print("{} runs were not predicted: predictions take {:g} s of processor time at most.\n",
               not_tried, Predictions::most_s);
  }
}

void print_plan_of_measurements(const Experiment& experiment, const Plan& plan) {
  fmt::print("\n{:>5}  {:>9}  {}\n", "run", "wall", "parameters");
  for (const PlannedTask& task : plan.tasks()) {
    const bool can = task.lacking.empty();
    fmt::print("{:>5}  {:>9}  {}{}\n", task.place + 1, can ? in_words(task.wall_s) : "",
               describe(experiment.at(task.place)),
               can ? "" : fmt::format(" [unsupported: {}]", task.lacking));
  }
  fmt::print("\nin all about {}\n", duration(plan.allocation().seconds));
}

}  // namespace

int print_plan(const Experiment& experiment, const PlanOptions& options) {
  if (options.shards > 0 && !(options.which.shard.empty() && options.which.one.empty())) {
    throw UserError("--shards shows all of them; --shard and --one have no place beside it");
  }
  const Plan plan(experiment, options);
  if (options.format == "json") {
    print_plan_as_json(experiment, plan, options);
    return 0;
  }
  if (options.format == "slurm") {
    print_plan_for_slurm(plan, options);
    return 0;
  }
  if (options.shards > 0) {
    print_shards(experiment, plan, options);
  } else {
    fmt::print("{}: {} {}\n", experiment.name, plan.tasks().size(), experiment.noun());
    experiment.of_runs() ? print_plan_of_runs(experiment, plan)
                         : print_plan_of_measurements(experiment, plan);
  }
  if (experiment.sweep_order != as_written) {
    fmt::print(
        "They are made in random order, drawn by their seeds, one repetition after the other: "
        "--format json\ntells it, and 'sweep_order: as_written' has them made as they stand "
        "here.\n");
  }
  if (plan.launching().measured()) {
    fmt::print("Launching takes as long as it did in {} runs in {}.\n", plan.launching().runs(),
               plan.results());
  }
  int most_ranks = 0;
  for (const PlannedTask& task : plan.tasks()) most_ranks = std::max(most_ranks, task.processes);
  warn(most_ranks);
  return 0;
}

}  // namespace regroup
