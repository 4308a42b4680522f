// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/input_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/experiment.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/definitions/walker_groups.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {

std::vector<std::string> InputFiles::of(const Scenario& scenario) {
  std::vector<std::string> files;
  const auto add = [&](const Options& options, std::string_view option) {
    if (options.has(option)) files.push_back(options.text(option));
  };
  add(scenario.workload.options, "trace_file");
  add(scenario.wants.options, "wants_file");
  add(scenario.speedup.options, "items_file");
  add(scenario.costs.options, "costs_file");
  add(scenario.costs.options, "steps_file");
  return files;
}

std::optional<std::string> InputFiles::hash(const Scenario& scenario) {
  std::string all;
  for (const std::string& file : of(scenario)) {
    const auto [known, is_new] = hashes_.try_emplace(file);
    if (is_new && input_complaint(file).empty()) {
      if (const auto content = read_file(file)) known->second = hash_text(*content);
    }
    if (!known->second) return std::nullopt;
    all += *known->second;
  }
  return all;
}

namespace {

/// Traces must be there and have as many rows as there are walkers.
void check_traces(const ConfigReader& reader, const Experiment& experiment) {
  std::set<std::pair<std::string, std::size_t>> checked;
  const auto check = [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    if (!run.workload.options.has("trace_file")) return;
    const std::size_t walkers = walkers_of(run);
    if (!checked.emplace(run.workload.options.text("trace_file"), walkers).second) return;
    try {
      initial_items(run);
    } catch (const std::invalid_argument& error) {
      reader.fail(*reader.find(reader.root(), "workload"), error.what(),
                  fmt::format("a run of {} ranks in groups of {} needs {} rows", run.ranks,
                              run.group_size, walkers));
    }
  };
  experiment.each(
      {"workload", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"}, check);
}

/// Files of measured items must be there and have what their model needs.
void check_speedups(const ConfigReader& reader, const Experiment& experiment) {
  experiment.each({"speedup"}, [&](std::size_t place) {
    try {
      resolve_item_time(experiment.grid().at(place));
    } catch (const UserError& error) {
      reader.fail(*reader.find(reader.root(), "speedup"), error.what(),
                  "give a file that 'regroup items' wrote");
    }
  });
}

/// Files of measured costs must be there and have what the runs need.
void check_costs(const ConfigReader& reader, const Experiment& experiment) {
  std::set<std::tuple<std::string, std::string, int, std::string>> checked;
  const auto check = [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    if (!run.costs.options.has("costs_file")) return;
    const auto what = std::tuple(run.costs.options.text("costs_file"),
                                 run.costs.options.text("steps_file"), run.ranks, run.communicator);
    if (!checked.insert(what).second) return;
    try {
      resolve_costs(run);
    } catch (const UserError& error) {
      reader.fail(*reader.find(reader.root(), "costs"), error.what(),
                  "give the files that 'regroup creation' and 'regroup steps' wrote");
    }
  };
  experiment.each({"costs", "ranks", "balancers"}, check);
}

ToldGroups told(const StartingGroups& groups) { return {text_of(groups), groups.largest()}; }

/// What `node` defines, or the file that it names.
ToldGroups groups_in(const ConfigNode& node, const ConfigReader& reader) {
  const bool inside = node.kind == ConfigNode::Kind::map;
  if (node.kind == ConfigNode::Kind::list || (!inside && node.text.empty())) {
    reader.fail(node, "groups name no file", fmt::format("allowed: {}", groups_allowed));
  }
  if (!inside && node.text == equal_groups) return {};
  if (inside) return told(walker_groups(Definitions::of(node, reader.path()), largest_world));
  try {
    const std::string file = reader.beside_configuration(node.text);
    return told(walker_groups(Definitions::read(file), largest_world));
  } catch (const UserError& error) {
    reader.fail(node, error.what(), "give a file of walker groups, by rank");
  }
}

}  // namespace

std::vector<ToldGroups> told_groups(const ConfigReader& reader) {
  const ConfigNode* node = reader.find(reader.root(), "groups");
  if (node == nullptr) return {ToldGroups()};
  const bool list = node->kind == ConfigNode::Kind::list;
  std::vector<ToldGroups> told;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    ToldGroups groups = groups_in(item, reader);
    if (std::ranges::find(told, groups) != told.end()) {
      reader.fail(item, "these groups stand there twice", "give them once");
    }
    told.push_back(std::move(groups));
  }
  if (told.empty()) {
    reader.fail(*node, "groups is an empty list", fmt::format("allowed: {}", groups_allowed));
  }
  const ConfigNode* size = reader.find(reader.root(), "group_size");
  if (size != nullptr && std::ranges::find(told, ToldGroups()) == told.end()) {
    reader.fail(*size, fmt::format("group_size, and line {} tells of the groups", node->line),
                "give one of them");
  }
  return told;
}

void check_inputs(const ConfigReader& reader, const Experiment& experiment) {
  check_traces(reader, experiment);
  check_speedups(reader, experiment);
  check_costs(reader, experiment);
}

}  // namespace regroup
