// SPDX-License-Identifier: BSD-3-Clause
//
// Plans for who runs many jobs: as JSON, and as the options of a scheduler.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "jobs/commands/planned.hpp"
#include "jobs/words/console.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

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

/// One allocation for each of many: that of an array, whose jobs all ask for the same.
Allocation most_of(const std::vector<Allocation>& all) {
  Allocation most;
  for (const Allocation& one : all) {
    most.nodes = std::max(most.nodes, one.nodes);
    most.processes_on_a_node = std::max(most.processes_on_a_node, one.processes_on_a_node);
    most.asked_s = std::max(most.asked_s, one.asked_s);
    most.unknown += one.unknown;
  }
  return most;
}

std::vector<Allocation> allocations(const Plan& plan,
                                    const std::vector<std::vector<PlannedTask>>& shards) {
  std::vector<Allocation> all;
  for (const auto& tasks : shards) all.push_back(plan.allocation(tasks));
  return all;
}

}  // namespace

std::string time_limit(double seconds) {
  const long whole = std::lround(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

void print_plan_as_json(const Experiment& experiment, const Plan& plan,
                        const PlanOptions& options) {
  Json document{{"schema", schema},
                {"experiment", experiment.name},
                {"kind", experiment.kind()},
                {"configuration_file", experiment.file},
                {"ranks_per_node", plan.ranks_per_node()},
                {"launching", plan.launching().measured() ? "measured" : "usual"}};
  document["all"] = json_of(plan.allocation(), plan.tasks().size());
  document["tasks"] = Json::array();
  const std::vector<std::size_t> positions = plan.positions();
  for (const PlannedTask& task : plan.tasks()) {
    const Scenario scenario = experiment.at(task.place);
    document["tasks"].push_back({{"run", fingerprint(scenario)},
                                 {"description", describe(scenario)},
                                 {"engine", scenario.engine},
                                 {"position", positions[document["tasks"].size()]},
                                 {"processes", task.processes},
                                 {"nodes", plan.allocation({task}).nodes},
                                 {"makespan_s", or_null(task.prediction.makespan_s)},
                                 {"wall_s", or_null(task.wall_s)},
                                 {"timeout_s", task.timeout_s}});
  }
  if (options.shards > 0) {
    document["shards"] = Json::array();
    int number = 0;
    for (const auto& tasks : plan.divided(options.shards)) {
      Json shard{{"shard", fmt::format("{}/{}", ++number, options.shards)}};
      shard.update(json_of(plan.allocation(tasks), tasks.size()));
      shard["runs"] = Json::array();
      for (const PlannedTask& task : tasks) {
        shard["runs"].push_back(fingerprint(experiment.at(task.place)));
      }
      document["shards"].push_back(std::move(shard));
    }
  }
  tell("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_plan_for_slurm(const Plan& plan, const PlanOptions& options) {
  const Allocation asked = options.shards == 0
                               ? plan.allocation()
                               : most_of(allocations(plan, plan.divided(options.shards)));
  if (options.ranks_per_node == 0) {
    complain(
        fmt::format("{} ranks on a node, as this machine has cores; --ranks-per-node tells "
                    "another number",
                    plan.ranks_per_node()));
  }
  if (asked.unknown > 0) {
    complain(fmt::format("{} of unknown length count as long as their timeout_s", asked.unknown));
  }
  if (options.shards > 0) tell("--array=1-{} ", options.shards);
  tell("{}\n", slurm_options(asked));
}

void print_shards(const Experiment& experiment, const Plan& plan, const PlanOptions& options) {
  const auto shards = plan.divided(options.shards);
  const std::vector<Allocation> all = allocations(plan, shards);
  tell("{}: {} {} in {} shards\n\n{:>7}  {:>12}  {:>6}  {:>6}  {:>9}  {}\n", experiment.name,
       plan.tasks().size(), experiment.noun(), options.shards, "shard", experiment.noun(), "ranks",
       "nodes", "wall", "for sbatch");
  for (std::size_t i = 0; i < all.size(); ++i) {
    tell("{:>7}  {:>12}  {:>6}  {:>6}  {:>9}  {}\n", fmt::format("{}/{}", i + 1, options.shards),
         shards[i].size(), all[i].processes, all[i].nodes,
         (all[i].unknown > 0 ? "> " : "") + duration(all[i].seconds), slurm_options(all[i]));
  }
  tell("\nA job array, whose jobs all ask for the same: --array=1-{} {}\n", options.shards,
       slurm_options(most_of(all)));
}

}  // namespace regroup
