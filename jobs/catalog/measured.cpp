// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/measured.hpp"

#include <fmt/format.h>

#include "kernel/measurement/sorts.hpp"

namespace regroup {
namespace {

int group_size_of(const Scenario& measurement) {
  return static_cast<int>(measurement.measure.options.integer("group_size"));
}

const Pattern& pattern_of(const Scenario& measurement, const Catalog& catalog) {
  return *find_entry(catalog.patterns, measurement.measure.options.text("pattern"));
}

}  // namespace

bool is_sort(const Scenario& task) { return task.measure.name == "sort"; }

std::string_view strategy_of(const Scenario& task) {
  if (task.is_run()) return task.communicator;
  if (!task.measure.options.has("communicator")) return {};
  const std::string& name = task.measure.options.text("communicator");
  return is_sort(task) && is_plain_sort(name) ? std::string_view() : name;
}

bool needs_nodes(const Scenario& m, const Catalog& catalog) {
  return m.measure.options.has("pattern") && pattern_of(m, catalog).on_nodes != nullptr;
}

std::vector<Layer> layers_of(const Scenario& m, const Catalog& catalog, const NodeMap& nodes) {
  if (is_sort(m)) return {};
  if (needs_nodes(m, catalog)) {
    if (!nodes.known()) return {};
    return pattern_of(m, catalog).on_nodes(nodes, m.ranks, group_size_of(m));
  }
  if (!m.measure.options.has("pattern")) return {{Members::range(0, group_size_of(m))}};
  return pattern_of(m, catalog).layers(m.ranks, group_size_of(m), m.seed);
}

void settle(Scenario& m, const Catalog& catalog) {
  Options& options = m.measure.options;
  if (is_sort(m)) {
    if (m.ranks == 1) options.set("communicator", std::string(std_sort_entry.name));
    if (is_plain_sort(options.text("communicator"))) options.set("assignment", "greedy");
  }
  const std::string_view strategy = strategy_of(m);
  if (!strategy.empty() && !find_entry(catalog.strategies, strategy)->serves_balancers()) {
    options.set("group_size", std::to_string(m.ranks));
    if (options.has("pattern")) options.set("pattern", "one_group");
  }
  if (options.has("pattern")) {
    const int own_size = pattern_of(m, catalog).own_size(m.ranks);
    if (own_size > 0) options.set("group_size", std::to_string(own_size));
  }
  if (options.has("operation") && options.text("operation") == "barrier") {
    options.set("elements_per_rank", "0");
  }
  if (!find_entry(catalog.walkers, m.walker.name)->timed) m.item_ms = Scenario().item_ms;
}

bool fits(const Scenario& m) {
  if (!is_sort(m)) return group_size_of(m) <= m.ranks;
  return m.ranks == 1 || m.measure.options.text("communicator") != std_sort_entry.name;
}

std::string impossible(const Scenario& m, const Catalog& catalog, const NodeMap& nodes) {
  if (is_sort(m)) {
    return fits(m) ? "" : fmt::format("{} sorts on one rank only", std_sort_entry.name);
  }
  const int group_size = group_size_of(m);
  if (group_size > m.ranks) {
    return fmt::format("a group of {} does not fit into {} ranks", group_size, m.ranks);
  }
  const Strategy* strategy = find_entry(catalog.strategies, strategy_of(m));
  if (strategy == nullptr) return {};
  const std::vector<Layer> layers = layers_of(m, catalog, nodes);
  if (layers.empty() && nodes.known()) {
    return fmt::format("no group of {} is {}: {} ranks are on {} node{}, at most {} on one",
                       group_size, m.measure.options.text("pattern"), m.ranks, nodes.nodes(),
                       nodes.nodes() == 1 ? "" : "s", nodes.most_ranks());
  }
  for (const Layer& layer : layers) {
    for (const Members& group : layer) {
      if (strategy->forms == Forms::ranges && !group.is_range()) {
        return fmt::format("{} forms ranges of its parent only", strategy->name);
      }
      if (!strategy->serves_balancers() && group.size() != m.ranks) {
        return fmt::format("{} is entered by all ranks and forms {} only", strategy->name,
                           strategy->forms == Forms::whole ? "a copy of its parent"
                                                           : "what shares a part of the machine");
      }
    }
  }
  return {};
}

}  // namespace regroup
