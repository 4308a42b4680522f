// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/resolve.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "kernel/bound.hpp"
#include "kernel/groups/groups.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {
namespace {

/// The row `name` of a list of the catalog.
template <class Rows>
const auto& row(const Rows& rows, std::string_view what, std::string_view name) {
  const auto* found = find_entry(rows, name);
  if (found == nullptr) throw std::invalid_argument(fmt::format("unknown {} '{}'", what, name));
  return *found;
}

/// The row of a choice, which takes its options.
template <class Rows>
const auto& row(const Rows& rows, std::string_view what, const Choice& choice) {
  const auto& found = row(rows, what, choice.name);
  check_options(found, choice.options);
  return found;
}

/// The strategy of the scenario, or nullptr where its balancer never regroups.
const Strategy* strategy_of(const Scenario& scenario, const Catalog& catalog) {
  if (scenario.communicator.empty()) return nullptr;
  return &row(catalog.strategies, "communicator strategy", scenario.communicator);
}

Items items_of(const Scenario& scenario, Groups groups, const Catalog& catalog) {
  const WorkloadEntry& workload = row(catalog.workloads, "workload", scenario.workload);
  return workload.items(scenario.workload.options, groups, scenario.stream());
}

}  // namespace

const EngineEntry& engine_of(const Scenario& task, const Catalog& catalog) {
  return row(catalog.engines, "engine", task.engine);
}

ItemTime resolve_item_time(const Scenario& scenario, const Catalog& catalog) {
  const SpeedupEntry& speedup = row(catalog.speedups, "speed-up", scenario.speedup);
  return {speedup.make(scenario.speedup.options, scenario.item_ms / 1000), scenario.jitter,
          scenario.stream()};
}

Run resolve(const Scenario& scenario, const Catalog& catalog) {
  Run run;
  run.ranks = scenario.ranks;
  run.groups = initial_groups(scenario.ranks, scenario.group_size);
  run.items = items_of(scenario, run.groups, catalog);
  run.balancer = make_balancer(scenario.balancer, catalog);
  run.item_time = resolve_item_time(scenario, catalog);
  if (const Strategy* strategy = strategy_of(scenario, catalog)) run.strategy = *strategy;
  run.stream = scenario.stream();
  return run;
}

Costs resolve_costs(const Scenario& scenario, const Catalog& catalog) {
  // A scenario of another engine has no costs: simulated, its communication is free.
  const CostModel& model =
      row(catalog.costs, "costs", scenario.costs.name.empty() ? "free" : scenario.costs.name);
  Options options = with_fallbacks(model).options;
  for (const auto& [option, value] : scenario.costs.options) options.set(option, value);
  return model.make(options, scenario.ranks, strategy_of(scenario, catalog));
}

std::unique_ptr<Balancer> make_balancer(const Choice& choice, const Catalog& catalog) {
  return row(catalog.balancers, "balancer", choice).make(choice.options);
}

Items initial_items(const Scenario& scenario, const Catalog& catalog) {
  return items_of(scenario, initial_groups(scenario.ranks, scenario.group_size), catalog);
}

double ideal_s(const Scenario& scenario, std::span<const std::int64_t> items) {
  // Exact up to 2^53 items, and never too large.
  const double sum = std::accumulate(items.begin(), items.end(), 0.0);
  return sum * scenario.item_ms / 1000 / scenario.ranks;
}

double ideal_s(const Scenario& scenario, const Catalog& catalog) {
  return ideal_s(scenario, initial_items(scenario, catalog));
}

double bound_s(const Scenario& scenario, std::span<const std::int64_t> items,
               const Catalog& catalog) {
  return bound_s(items, resolve_item_time(scenario, catalog), scenario.ranks);
}

Outcome simulate(const Scenario& scenario, const std::function<bool()>& stop,
                 const Catalog& catalog) {
  return simulate(resolve(scenario, catalog), resolve_costs(scenario, catalog), stop);
}

}  // namespace regroup
