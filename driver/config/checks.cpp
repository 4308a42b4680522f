// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "communicators/named/walker_groups.hpp"
#include "driver/config/experiment.hpp"
#include "driver/config/read_experiment.hpp"
#include "driver/config/reader.hpp"
#include "engines/virtual/pace.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"
#include "measurements/sorts.hpp"
#include "regroup/costs.hpp"
#include "regroup/numbers.hpp"
#include "regroup/workload.hpp"

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

namespace {

/// A launcher must be told how many ranks a node gets, where that is asked for, and only there.
/// Where none is named, that of a job may be told, which is seen when ranks are launched.
void check_places(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* launcher = reader.find(reader.root(), "launcher");
  if (launcher == nullptr || launcher->text.empty()) return;
  const auto uses = [&](std::string_view word) { return launcher->text.find(word) != word.npos; };
  const bool told = uses("{nodes}") || uses("{ranks_per_node}");
  std::vector<std::string_view> axes{"ranks", "ranks_per_node"};
  if (experiment.of_runs()) axes.push_back("engine");
  experiment.each(axes, [&](std::size_t place) {
    const Scenario task = experiment.grid().at(place);
    if (told && task.ranks_per_node == 0 && !engine_of(task).exact) {
      reader.fail(*launcher,
                  fmt::format("the launcher uses {}, and no ranks_per_node is given",
                              uses("{nodes}") ? "{nodes}" : "{ranks_per_node}"),
                  "give ranks_per_node, from 1 on");
    }
    const bool matters = task.ranks_per_node > 0 && task.ranks > task.ranks_per_node;
    if (told || !matters || !engine_of(task).real) return;
    reader.fail(*reader.find(reader.root(), "ranks_per_node"),
                fmt::format("{} ranks on a node, of {}: the launcher is not told so",
                            task.ranks_per_node, task.ranks),
                "give a launcher that uses {ranks_per_node} or {nodes}");
  });
}

void check_ranks(const ConfigReader& reader, const Experiment& experiment) {
  experiment.each({"engine", "ranks"}, [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    const int most = engine_of(run).most_ranks;
    if (run.ranks <= most) return;
    reader.fail(*reader.find(reader.root(), "ranks"),
                fmt::format("{} ranks are too many for engine {}", run.ranks, run.engine),
                fmt::format("allowed: at most {}", most));
  });
}

/// Groups that are told must be of all ranks, and such that balancers can go on with them.
void check_groups(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* node = reader.find(reader.root(), "groups");
  if (node == nullptr) return;
  experiment.each({"groups", "ranks"}, [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    if (run.groups == equal_groups) return;
    const int ranks = StartingGroups::from(run.groups).ranks();
    if (ranks == run.ranks) return;
    reader.fail(
        *reader.find(reader.root(), "ranks"),
        fmt::format("{} ranks, and the groups of line {} have {}", run.ranks, node->line, ranks),
        fmt::format("allowed: {}", ranks));
  });
  experiment.each({"groups", "balancers"}, [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    const auto& balancer = *find_entry(standard_catalog().balancers, run.balancer.name);
    const std::string wrong =
        run.groups == equal_groups ? "" : hindrance(balancer, StartingGroups::from(run.groups));
    if (!wrong.empty()) reader.fail(*node, wrong, "allowed: groups of consecutive ranks");
  });
}

/// Walkers must be enough for the groups at the start, and not want more ranks than there are.
void check_walkers(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* in_all = reader.find(reader.root(), "walkers_in_all");
  const ConfigNode* per_group = reader.find(reader.root(), "walkers_per_group");
  const ConfigNode* wants = reader.find(reader.root(), "wants");
  if (in_all != nullptr && per_group != nullptr) {
    reader.fail(*in_all, "walkers_in_all and walkers_per_group both say how many walkers there are",
                "give one of them");
  }
  const auto check = [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    const ConfigNode* node = in_all != nullptr ? in_all : per_group;
    try {
      if (node != nullptr) walkers_of(run);
      node = wants;
      if (node != nullptr) initial_wants(run);
    } catch (const std::invalid_argument& error) {
      reader.fail(*node, error.what(),
                  fmt::format("of a run of {} ranks in groups of {}", run.ranks, run.group_size));
    }
  };
  if (in_all == nullptr && per_group == nullptr && wants == nullptr) return;
  experiment.each({"wants", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"},
                  check);
}

/// What a walker is made of must fit together.
void check_walker(const ConfigReader& reader, const Experiment& experiment) {
  if (reader.find(reader.root(), "walker") == nullptr) return;
  experiment.each({"walker"}, [&](std::size_t place) {
    const Choice& walker = experiment.grid().at(place).walker;
    try {
      find_entry(standard_catalog().walkers, walker.name)->make(walker.options, {});
    } catch (const std::invalid_argument& error) {
      reader.fail(*reader.find(reader.root(), "walker"), error.what(),
                  fmt::format("see walker {} in `regroup list walkers`", walker.name));
    }
  });
}

/// Only walkers that observe something can report it.
void check_report_every(const ConfigReader& reader, const Experiment& experiment) {
  experiment.each({"walker", "report_every"}, [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    const WalkerEntry& walker = *find_entry(standard_catalog().walkers, run.walker.name);
    if (run.report_every == 0) return;
    if (!walker.observes.empty() && walker.state_bytes(run.walker.options) > 0) return;
    reader.fail(
        *reader.find(reader.root(), "report_every"),
        fmt::format("the walker {} {} to report", run.walker.name,
                    walker.observes.empty() ? "observes nothing" : "has no state, and nothing"),
        "allowed: 0, or a walker that observes: see `regroup list walkers`");
  });
}

/// What ends a run are reports; and those of a run that was ended are not kept.
void check_until(const ConfigReader& reader, const Experiment& experiment) {
  for (const std::string_view key : {"until_r_hat", "until_effective_samples"}) {
    const ConfigNode* node = reader.find(reader.root(), key);
    if (node == nullptr) continue;
    const auto check = [&](std::size_t place) {
      const Scenario run = experiment.grid().at(place);
      if (!run.may_end_early()) return;
      if (run.report_every == 0) {
        reader.fail(*node,
                    fmt::format("{} asks for what chains report, and they report nothing", key),
                    "give report_every, the items between two reports");
      }
      if (run.save_every > 0) {
        reader.fail(*node,
                    fmt::format("{} and save_every: what chains reported is not kept with their "
                                "states",
                                key),
                    "give one of them");
      }
      if (run.until_r_hat == 0 || (run.until_r_hat >= 1 && walkers_of(run) > 1)) return;
      reader.fail(*reader.find(reader.root(), "until_r_hat"),
                  run.until_r_hat < 1 ? "no chains agree so well"
                                      : "R-hat compares chains, and there is one",
                  "allowed: 0, or from 1 for two chains or more");
    };
    experiment.each({"ranks", "group_size", "groups", "walkers_per_group", "walkers_in_all",
                     "report_every", "save_every", key},
                    check);
  }
}

/// Only walkers with a state can be written.
void check_save_every(const ConfigReader& reader, const Experiment& experiment) {
  experiment.each({"walker", "save_every"}, [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    const WalkerEntry& walker = *find_entry(standard_catalog().walkers, run.walker.name);
    if (run.save_every == 0 || walker.state_bytes(run.walker.options) > 0) return;
    reader.fail(*reader.find(reader.root(), "save_every"),
                fmt::format("the walker {} has no state to save", run.walker.name),
                "allowed: 0, or a walker with a state: see `regroup list walkers`");
  });
}

/// The longest walker must come to its end while virtual time lasts, even if its group never grows.
/// Looks at no more groups than takes a moment; what it misses fails when it is run.
void check_virtual_time(const ConfigReader& reader, const Experiment& experiment) {
  const Grid<Scenario>& grid = experiment.grid();
  std::size_t looked_at = 0;
  std::int64_t most_items = 0;
  const auto check_items = [&](std::size_t place) {
    looked_at += 16;
    const Scenario run = grid.at(place);
    const ItemTime time = resolve_item_time(run);
    const double item_s = std::max(time.seconds(smallest_group(run)), time.seconds(run.ranks));
    if (static_cast<double>(most_items) * item_s < seconds(last_tick)) return;
    const ConfigNode* node = reader.find(reader.root(), "item_ms");
    reader.fail(
        node == nullptr ? reader.root() : *node,
        fmt::format("{} items of a walker, {:g} s each, take longer than virtual time lasts",
                    most_items, item_s),
        fmt::format("allowed: {:.3g} s in all", seconds(last_tick)));
  };
  const auto check_groups = [&](std::size_t place) {
    if (looked_at > 1 << 20) return;
    const std::vector<std::int64_t> items = initial_items(grid.at(place));
    most_items = std::ranges::max(items);
    looked_at += items.size() + 16;
    experiment.each({"speedup", "item_ms"}, check_items, place);
  };
  const auto check_engine = [&](std::size_t place) {
    if (!engine_of(grid.at(place)).exact) return;
    experiment.each(
        {"workload", "walkers_in_all", "walkers_per_group", "group_size", "groups", "ranks"},
        check_groups, place);
  };
  experiment.each({"engine"}, check_engine);
}

/// A group that fits into no number of ranks is a mistake.
void check_group_sizes(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* node = reader.find(reader.root(), "group_size");
  if (node == nullptr || node->text == "all") return;
  int most = 0;
  experiment.each({"ranks"}, [&](std::size_t place) {
    most = std::max(most, experiment.grid().at(place).ranks);
  });
  const bool list = node->kind == ConfigNode::Kind::list;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    if (parse<int>(item.text).value() <= most) continue;
    reader.fail(item, fmt::format("a group of {} fits into no number of ranks", item.text),
                fmt::format("allowed: up to {}", most));
  }
}

/// So is a sort on one rank where there is no such number.
void check_sorts(const ConfigReader& reader, const Experiment& experiment) {
  const ConfigNode* node = reader.find(reader.root(), "communicator");
  if (experiment.kind() != "sort" || node->text == "all") return;
  bool alone = false;
  experiment.each({"ranks"},
                  [&](std::size_t place) { alone |= experiment.grid().at(place).ranks == 1; });
  const bool list = node->kind == ConfigNode::Kind::list;
  for (const ConfigNode& item : list ? std::span(node->items) : std::span(node, 1)) {
    if (alone || item.text != std_sort_entry.name) continue;
    reader.fail(item, fmt::format("{} sorts on one rank, and ranks has no 1", item.text),
                "allowed: any other, or 1 among ranks");
  }
}

}  // namespace

void check(const ConfigReader& reader, const Experiment& experiment) {
  check_walker(reader, experiment);
  check_places(reader, experiment);
  if (!experiment.of_runs()) {
    check_group_sizes(reader, experiment);
    return check_sorts(reader, experiment);
  }
  check_ranks(reader, experiment);
  check_groups(reader, experiment);
  check_walkers(reader, experiment);
  check_report_every(reader, experiment);
  check_until(reader, experiment);
  check_save_every(reader, experiment);
  if (experiment.reads_files()) check_inputs(reader, experiment);
  check_virtual_time(reader, experiment);
}

void check_tasks(const ConfigReader& reader, const Experiment& experiment) {
  const bool given = reader.find(reader.root(), "group_size") != nullptr;
  if (experiment.of_runs() || experiment.kind() == "sort" || given) return;
  for (std::size_t i = 0; i < experiment.size(); ++i) {
    const Options options = experiment.at(i).measure.options;
    if (options.integer("group_size") != 0) continue;
    const auto& kinds = standard_catalog().measurements;
    const auto& specs = find_entry(kinds, experiment.kind())->options;
    reader.fail(reader.root(), "'group_size' is missing",
                "allowed: " + allowed(*find_entry(specs, "group_size")));
  }
}

}  // namespace regroup
