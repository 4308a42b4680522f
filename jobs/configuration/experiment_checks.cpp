// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/experiment_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <tuple>

#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/groups.hpp"
#include "kernel/items/item_time.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/virtual/pace.hpp"

namespace regroup {
namespace {

void check_ranks(const ConfigReader& reader, const ExperimentLists& lists) {
  for (const std::string& name : lists.engines) {
    const int most = find_entry(engines(), name)->most_ranks;
    for (const std::string& ranks : lists.ranks) {
      if (parse<int>(ranks).value() <= most) continue;
      reader.fail(*reader.find(reader.root(), "ranks"),
                  fmt::format("{} ranks are too many for engine {}", ranks, name),
                  fmt::format("allowed: at most {}", most));
    }
  }
}

/// Traces must be there and have as many rows as there are groups.
void check_traces(const ConfigReader& reader, const Experiment& experiment) {
  const Experiment::Axis& axis = experiment.axis();
  std::set<std::pair<std::string, std::size_t>> checked;
  const auto check = [&](std::size_t place) {
    const Scenario run = experiment.grid().at(place);
    if (!run.workload.options.has("file")) return;
    const std::size_t groups = initial_groups(run.ranks, run.group_size).size();
    if (!checked.emplace(run.workload.options.text("file"), groups).second) return;
    try {
      initial_items(run);
    } catch (const std::invalid_argument& error) {
      reader.fail(*reader.find(reader.root(), "workload"), error.what(),
                  fmt::format("a run of {} ranks in groups of {} needs {} rows", run.ranks,
                              run.group_size, groups));
    }
  };
  experiment.grid().each(0, std::array{axis.workload, axis.group_size, axis.ranks}, check);
}

/// Files of measured costs must be there and have what the runs need.
void check_costs(const ConfigReader& reader, const Experiment& experiment) {
  const Experiment::Axis& axis = experiment.axis();
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
  experiment.grid().each(0, std::array{axis.costs, axis.ranks, axis.balancing}, check);
}

/// The longest walker must come to its end while virtual time lasts, even if its group never grows.
/// Looks at no more groups than takes a moment; what it misses fails when it is run.
void check_virtual_time(const ConfigReader& reader, const Experiment& experiment) {
  const Experiment::Axis& axis = experiment.axis();
  const Grid<Scenario>& grid = experiment.grid();
  const auto& names = experiment.lists().engines;
  const auto engine = static_cast<std::size_t>(std::ranges::find(names, "virtual") - names.begin());
  if (engine == names.size()) return;

  std::size_t looked_at = 0;
  std::int64_t most_items = 0;
  const auto check_items = [&](std::size_t place) {
    looked_at += 16;
    const Scenario run = grid.at(place);
    const ItemTime time = resolve_item_time(run);
    const int last = run.ranks % run.group_size;  // ranks of the last group, where it is smaller
    const int smallest = last == 0 ? run.group_size : last;
    const double item_s = std::max(time.seconds(smallest), time.seconds(run.ranks));
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
    grid.each(place, std::array{axis.speedup, axis.item_ms}, check_items);
  };
  grid.each(grid.with(0, axis.engine, engine),
            std::array{axis.workload, axis.group_size, axis.ranks}, check_groups);
}

}  // namespace

void check(const ConfigReader& reader, const Experiment& experiment) {
  check_ranks(reader, experiment.lists());
  if (!experiment.lists().hashes.empty()) {  // there are files
    check_traces(reader, experiment);
    check_costs(reader, experiment);
  }
  check_virtual_time(reader, experiment);
}

}  // namespace regroup
