// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/commands.hpp"
#include "driver/config/experiment.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/predict.hpp"
#include "driver/execute/selection.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/places/host.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "regroup/groups.hpp"

namespace regroup {
namespace {

/// A task with its predictions.
struct PlannedTask {
  std::size_t index = 0;
  int processes = 1;
  Prediction prediction;         ///< of a run
  std::optional<double> wall_s;  ///< launching included; nothing if unknown
  std::string lacking;           ///< why a measurement is unsupported; empty if it is supported
  double timeout_s = 0;
};

/// The resources that a job needs to execute some tasks, one after the other.
struct Allocation {
  int processes = 0;
  int nodes = 0;
  int processes_on_a_node = 0;
  double seconds = 0;       ///< predicted, without tasks of unknown duration
  std::size_t unknown = 0;  ///< number of tasks of unknown duration
  double asked_s = 0;       ///< time to request: with a margin, in whole minutes
};

struct PlannedShard {
  std::vector<PlannedTask> tasks;
  Allocation allocation;
};

struct Plan {
  const Experiment& experiment;
  std::string results;  ///< directory that launch times were learnt from
  int ranks_per_node;
  std::map<std::string, double> probed_ms = {};  ///< per item, by walker
  bool lacks_item_times = false;
  Launching launching = {};
  Indices indices = {};  ///< of the tasks
  std::vector<PlannedTask> tasks = {};
  std::vector<PlannedShard> shards = {};  ///< empty if no division was requested
};

/// Returns hours, minutes and seconds in the format of schedulers: "01:05:00".
std::string time_limit(double seconds) {
  const long whole = std::lround(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// Jobs request more time than predicted: a job that is ended loses its task in progress, and one
// that ends early returns its nodes.
constexpr double spare_factor = 1.5;
constexpr double spare_s = 120;

Allocation allocation_of(const Plan& plan, const std::vector<PlannedTask>& tasks) {
  Allocation all;
  double unknown_s = 0;
  for (const PlannedTask& task : tasks) {
    const int asked = plan.experiment.ranks_per_node(task.index);
    const int most = asked > 0 ? asked : plan.ranks_per_node;
    all.processes = std::max(all.processes, task.processes);
    all.nodes = std::max(all.nodes, nodes_for(task.processes, most));
    all.processes_on_a_node = std::max(all.processes_on_a_node, std::min(task.processes, most));
    all.seconds += task.wall_s.value_or(0);
    if (task.wall_s) continue;
    ++all.unknown;
    unknown_s += task.timeout_s;  // it cannot be longer
  }
  all.asked_s = 60 * std::ceil((spare_factor * all.seconds + unknown_s + spare_s) / 60);
  return all;
}

Plan plan_of(const Experiment& experiment, const PlanOptions& options) {
  const int cores = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  Plan plan{experiment, options.results.empty() ? "results/" + experiment.name : options.results,
            options.ranks_per_node > 0 ? options.ranks_per_node : cores};
  plan.indices = selected(experiment, options.which);
  const auto is_real = [&](std::size_t index) { return experiment.is_real(index); };
  // Results of a million simulated runs take long to read, and contain no launch times.
  if (std::ranges::any_of(plan.indices, is_real)) plan.launching.learn(plan.results);
  Predictions predictions(experiment, options.probe);
  for (const std::size_t index : plan.indices) {
    const Task task = experiment.at(index);
    PlannedTask planned{index, processes_of(experiment, index), {}, {}, "", task.timeout_s};
    if (task.is_run()) {
      planned.prediction = predictions.makespan(index);
    } else {
      planned.lacking = engine_of(task).lacks(task);
    }
    planned.wall_s = planned.lacking.empty() ? predictions.wall_s(index) : 0;
    if (planned.wall_s && planned.lacking.empty() && is_real(index)) {
      *planned.wall_s += plan.launching.seconds(task.ranks) - usual_launching_s(task.ranks);
    }
    plan.tasks.push_back(std::move(planned));
  }
  plan.probed_ms = predictions.probed_ms();
  plan.lacks_item_times = predictions.lacks_item_times();
  if (options.shards == 0) return plan;
  for (const Indices& own : divide(experiment, plan.indices, options.shards)) {
    std::vector<PlannedTask> tasks;
    for (const std::size_t index : own) {
      tasks.push_back(*std::ranges::lower_bound(plan.tasks, index, {}, &PlannedTask::index));
    }
    const Allocation allocation = allocation_of(plan, tasks);
    plan.shards.push_back({std::move(tasks), allocation});
  }
  return plan;
}

/// Returns the positions of tasks, from 1 on, in the order in which one command executes them.
std::vector<std::size_t> positions_in(const Plan& plan) {
  std::vector<std::size_t> positions(plan.indices.size());
  std::size_t position = 0;
  for (const std::size_t index : in_order(plan.experiment, plan.indices)) {
    const auto found = std::ranges::lower_bound(plan.indices, index);
    positions[static_cast<std::size_t>(found - plan.indices.begin())] = ++position;
  }
  return positions;
}

/// Returns "?" if unknown; one decimal digit below 10 s, where whole seconds would be too coarse.
std::string in_words(const std::optional<double>& seconds) {
  if (!seconds) return "?";
  if (*seconds >= 10) return duration(*seconds);
  return *seconds < 0.05 ? "< 0.1 s" : fmt::format("{:.1f} s", *seconds);
}

/// Returns the tasks that are executed in any case.
std::vector<PlannedTask> certain(const Plan& plan) {
  std::vector<PlannedTask> tasks = plan.tasks;
  std::erase_if(tasks, [&](const PlannedTask& task) {
    return plan.experiment.repetition(task.index) > plan.experiment.repetitions.certain();
  });
  return tasks;
}

/// Prints how often the key `repetitions` repeats each run.
void print_repetitions(const Plan& plan) {
  const Repetitions& rule = plan.experiment.repetitions;
  if (!rule.adaptive()) return;
  const std::vector<PlannedTask> least = certain(plan);
  fmt::print(
      "Of at most {}, {} certain: each is repeated {} to {} times, until half the width of the 95 "
      "%\ninterval of the median makespan is {:g} % of the median. The certain runs take about {} "
      "and are\nlisted here.\n",
      counted(plan.tasks.size(), "run"),
      least.size() == 1 ? "1 is" : fmt::format("{} are", least.size()), rule.certain(),
      rule.at_most, 100 * rule.until, duration(allocation_of(plan, least).seconds));
}

void print_plan_of_runs(const Plan& plan) {
  fmt::print("{}", left_out_note(plan.experiment.left_out(), plan.experiment.excluded()));
  fmt::print("\n{:>5}  {:>11}  {:>9}  {}\n", "run", "makespan_s", "wall", "parameters");
  std::size_t not_tried = 0;
  for (const PlannedTask& task : certain(plan)) {
    const Task run = plan.experiment.at(task.index);
    const auto& [makespan_s, failure] = task.prediction;
    if (!makespan_s && failure.empty()) ++not_tried;
    fmt::print("{:>5}  {:>11}  {:>9}  {}, {}{}\n", task.index + 1,
               makespan_s ? rounded(*makespan_s, 4) : "?", in_words(task.wall_s),
               run.run().engine->name, describe(run),
               failure.empty() ? "" : fmt::format(" [no prediction: {}]", failure));
  }
  const Allocation all = allocation_of(plan, plan.tasks);
  const std::string unknown = fmt::format("{} of unknown duration", counted(all.unknown, "run"));
  fmt::print(
      "\nTotal: {}. The makespan assumes free communication; the wall time includes the "
      "launch,\nand 5 % for communication.\n",
      all.unknown == plan.tasks.size() ? unknown
      : all.unknown == 0               ? "about " + duration(all.seconds)
                         : fmt::format("about {}, and {}", duration(all.seconds), unknown));
  print_repetitions(plan);
  if (not_tried > 0) {
    fmt::print("No prediction of {}: predictions are limited to {:g} s of processor time.\n",
               counted(not_tried, "run"), Predictions::most_s);
  }
}

void print_plan_of_measurements(const Plan& plan) {
  fmt::print("{}", left_out_note(0, plan.experiment.excluded()));
  fmt::print("\n{:>5}  {:>9}  {}\n", "run", "wall", "parameters");
  for (const PlannedTask& task : plan.tasks) {
    const bool can = task.lacking.empty();
    fmt::print("{:>5}  {:>9}  {}{}\n", task.index + 1, can ? in_words(task.wall_s) : "",
               describe(plan.experiment.at(task.index)),
               can ? "" : fmt::format(" [unsupported: {}]", task.lacking));
  }
  fmt::print("\nTotal: about {}\n", duration(allocation_of(plan, plan.tasks).seconds));
}

// Output for job scripts: JSON, and the options of a scheduler.

using Json = nlohmann::ordered_json;

template <class Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json json_of(const Allocation& allocation, std::size_t tasks) {
  return {{"tasks", tasks},
          {"processes", allocation.processes},
          {"nodes", allocation.nodes},
          {"wall_s", allocation.seconds},
          {"unknown", allocation.unknown},
          {"time_limit_s", std::lround(allocation.asked_s)},
          {"time_limit", time_limit(allocation.asked_s)}};
}

std::string slurm_options(const Allocation& allocation) {
  return fmt::format("--nodes={} --ntasks-per-node={} --time={}", allocation.nodes,
                     allocation.processes_on_a_node, time_limit(allocation.asked_s));
}

/// Returns the allocation of a job array, whose jobs all request the same: enough for each shard.
Allocation most_of(const std::vector<PlannedShard>& shards) {
  Allocation most;
  for (const PlannedShard& shard : shards) {
    const Allocation& one = shard.allocation;
    most.nodes = std::max(most.nodes, one.nodes);
    most.processes_on_a_node = std::max(most.processes_on_a_node, one.processes_on_a_node);
    most.asked_s = std::max(most.asked_s, one.asked_s);
    most.unknown += one.unknown;
  }
  return most;
}

void print_plan_as_json(const Plan& plan) {
  const Experiment& experiment = plan.experiment;
  Json document{{"schema", schema},
                {"experiment", experiment.name},
                {"kind", experiment.kind()},
                {"configuration_file", experiment.file},
                {"ranks_per_node", plan.ranks_per_node},
                {"launching", plan.launching.measured() ? "measured" : "usual"},
                {"all", json_of(allocation_of(plan, plan.tasks), plan.tasks.size())},
                {"tasks", Json::array()}};
  if (const Repetitions& rule = experiment.repetitions; rule.adaptive()) {
    const std::vector<PlannedTask> least = certain(plan);
    document["repetitions"] = {{"at_least", rule.at_least},
                               {"at_most", rule.at_most},
                               {"until", rule.until},
                               {"certain", json_of(allocation_of(plan, least), least.size())}};
  }
  const std::vector<std::size_t> positions = positions_in(plan);
  for (const PlannedTask& task : plan.tasks) {
    const Task one = experiment.at(task.index);
    document["tasks"].push_back({{"run", fingerprint(one)},
                                 {"description", describe(one)},
                                 {"engine", engine_of(one).name},
                                 {"position", positions[document["tasks"].size()]},
                                 {"processes", task.processes},
                                 {"nodes", allocation_of(plan, {task}).nodes},
                                 {"makespan_s", or_null(task.prediction.makespan_s)},
                                 {"wall_s", or_null(task.wall_s)},
                                 {"timeout_s", task.timeout_s}});
  }
  for (const auto& [tasks, allocation] : plan.shards) {
    Json& shards = document["shards"];
    Json shard{{"shard", fmt::format("{}/{}", shards.size() + 1, plan.shards.size())}};
    shard.update(json_of(allocation, tasks.size()));
    for (const PlannedTask& task : tasks) {
      shard["runs"].push_back(fingerprint(experiment.at(task.index)));
    }
    shards.push_back(std::move(shard));
  }
  print_out("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_plan_for_slurm(const Plan& plan, bool ranks_per_node_given) {
  const bool array = !plan.shards.empty();
  const Allocation asked = array ? most_of(plan.shards) : allocation_of(plan, plan.tasks);
  if (!ranks_per_node_given) {
    print_error(
        fmt::format("{} ranks per node, the number of cores of this machine; --ranks-per-node sets "
                    "another number",
                    plan.ranks_per_node));
  }
  if (asked.unknown > 0) {
    print_error(fmt::format("{} of unknown duration: timeout_s is used instead", asked.unknown));
  }
  if (array) print_out("--array=1-{} ", plan.shards.size());
  print_out("{}\n", slurm_options(asked));
}

/// Prints the item times of walkers that compute, as far as they are known.
void tell_item_times(const Plan& plan) {
  for (const auto& [walker, ms] : plan.probed_ms) {
    print_error(
        fmt::format("an item of {} takes {} on one rank here", walker, in_fitting_unit(ms / 1e3)));
  }
  if (!plan.lacks_item_times) return;
  print_error(
      "item times of walkers that compute are unknown: set item_ms, in milliseconds on one rank, "
      "or measure them with --probe");
}

void print_shards(const Plan& plan) {
  const std::string_view noun = plan.experiment.noun();
  print_out("{}: {} in {}\n\n{:>7}  {:>12}  {:>6}  {:>6}  {:>9}  {}\n", plan.experiment.name,
            counted(plan.tasks.size(), noun), counted(plan.shards.size(), "shard"), "shard",
            fmt::format("{}s", noun), "ranks", "nodes", "wall", "for sbatch");
  int number = 0;
  for (const auto& [tasks, allocation] : plan.shards) {
    print_out("{:>7}  {:>12}  {:>6}  {:>6}  {:>9}  {}\n",
              fmt::format("{}/{}", ++number, plan.shards.size()), tasks.size(),
              allocation.processes, allocation.nodes,
              (allocation.unknown > 0 ? "> " : "") + duration(allocation.seconds),
              slurm_options(allocation));
  }
  print_out("\nJob array, with the same resources for all jobs: --array=1-{} {}\n",
            plan.shards.size(), slurm_options(most_of(plan.shards)));
}

}  // namespace

void print_plan(const Experiment& experiment, const PlanOptions& options) {
  if (options.shards > 0 && !(options.which.shard.empty() && options.which.one.empty())) {
    throw UserError("--shards cannot be combined with --shard or --one");
  }
  const Plan plan = plan_of(experiment, options);
  tell_item_times(plan);
  if (options.format == "json") return print_plan_as_json(plan);
  if (options.format == "slurm") return print_plan_for_slurm(plan, options.ranks_per_node > 0);
  if (!plan.shards.empty()) {
    print_shards(plan);
  } else {
    fmt::print("{}: {}\n", experiment.name, counted(plan.tasks.size(), experiment.noun()));
    experiment.of_runs() ? print_plan_of_runs(plan) : print_plan_of_measurements(plan);
  }
  if (experiment.sweep_order != as_written) {
    fmt::print(
        "Each repetition is executed in random order, which --format json prints;\n'sweep_order: "
        "as_written' keeps the order above.\n");
  }
  if (plan.launching.measured()) {
    fmt::print("Launch times are those of {} in {}.\n", counted(plan.launching.runs(), "run"),
               plan.results);
  }
  // With more, startup and waiting take most of the time, or all of it. Another machine may have
  // enough cores.
  constexpr long most_ranks_per_core = 256;
  const long cores = own_cores();
  const int most_ranks = std::ranges::max(plan.tasks, {}, &PlannedTask::processes).processes;
  if (most_ranks > most_ranks_per_core * cores) {
    fmt::print(
        "warning: {} ranks on the {} cores of this machine; more than {} ranks per core make "
        "hardly any progress\n",
        most_ranks, cores, most_ranks_per_core);
  }
}

}  // namespace regroup
