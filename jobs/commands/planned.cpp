// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/commands/planned.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "jobs/launch/engine.hpp"
#include "jobs/selection/order.hpp"
#include "jobs/selection/weight.hpp"
#include "kernel/groups/node_map.hpp"

namespace regroup {
namespace {

// What is asked for is more than what is likely: a job that is ended loses what it was at, and one
// that ends early gives its nodes back.
constexpr double spare_factor = 1.5;
constexpr double spare_s = 120;

int cores_here() { return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

}  // namespace

Plan::Plan(const Experiment& experiment, const PlanOptions& options)
    : experiment_(experiment),
      results_(options.results.empty() ? "results/" + experiment.name : options.results),
      ranks_per_node_(options.ranks_per_node > 0 ? options.ranks_per_node : cores_here()) {
  const Places places = selected(experiment, options.which);
  const auto is_real = [&](std::size_t place) { return experiment.engine(place).real; };
  // Results of a million simulated runs take long to read, and tell nothing of launching.
  if (std::ranges::any_of(places, is_real)) launching_.learn(results_);
  Predictions predictions(experiment);
  for (const std::size_t place : places) {
    const Scenario task = experiment.at(place);
    PlannedTask planned{place, processes_of(experiment, place), {}, {}, "", task.timeout_s};
    if (task.is_run()) {
      planned.prediction = predictions.makespan(place);
    } else {
      planned.lacking = execution(task.engine).lacks(task);
    }
    planned.wall_s = planned.lacking.empty() ? predictions.wall_s(place) : 0;
    if (planned.wall_s && planned.lacking.empty() && is_real(place)) {
      *planned.wall_s += launching_.seconds(task.ranks) - usual_launching_s(task.ranks);
    }
    tasks_.push_back(std::move(planned));
  }
}

Allocation Plan::allocation(const std::vector<PlannedTask>& tasks) const {
  Allocation all;
  double unknown_s = 0;
  for (const PlannedTask& task : tasks) {
    const int asked = experiment_.ranks_per_node(task.place);
    const int most = asked > 0 ? asked : ranks_per_node_;
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

std::vector<std::size_t> Plan::positions() const {
  Places places;
  for (const PlannedTask& task : tasks_) places.push_back(task.place);
  const Places order = in_order(experiment_, places);
  std::vector<std::size_t> positions(places.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto found = std::ranges::lower_bound(places, order[i]);
    positions[static_cast<std::size_t>(found - places.begin())] = i + 1;
  }
  return positions;
}

std::vector<std::vector<PlannedTask>> Plan::divided(int shards) const {
  Places places;
  for (const PlannedTask& task : tasks_) places.push_back(task.place);
  std::vector<std::vector<PlannedTask>> all;
  for (const Places& own : divide(experiment_, places, shards)) {
    std::vector<PlannedTask>& tasks = all.emplace_back();
    for (const std::size_t place : own) {
      tasks.push_back(*std::ranges::lower_bound(tasks_, place, {}, &PlannedTask::place));
    }
  }
  return all;
}

}  // namespace regroup
