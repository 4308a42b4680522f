// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/catalog/expected_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "jobs/catalog/measured.hpp"
#include "kernel/groups/groups.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

void add_creation(Figures& figures, const Scenario& m, const NodeMap& nodes) {
  const Strategy& strategy = *find_entry(standard_catalog().strategies, strategy_of(m));
  const std::vector<Layer> layers = layers_of(m, standard_catalog(), nodes);
  std::set<int> inside;
  std::vector<int> sizes;
  for (const Layer& layer : layers) {
    for (const Members& group : layer) {
      sizes.push_back(group.size());
      for (int place = 0; place < group.size(); ++place) inside.insert(group[place]);
    }
  }
  figures["formed_groups"] = static_cast<double>(sizes.size());
  for (const char* name :
       {"creations_per_sample", "create_min_s", "create_median_s", "free_min_s", "free_median_s",
        "communicators_alive_before", "communicators_alive_max", "communicators_alive_after"}) {
    figures[name];
  }
  figures["formed_ranks_min"];
  figures["formed_ranks_max"];
  if (strategy.forms != Forms::shared) {  // the others follow the machine
    figures["formed_ranks_min"] = std::ranges::min(sizes);
    figures["formed_ranks_max"] = std::ranges::max(sizes);
  }
  if (static_cast<int>(inside.size()) < m.ranks && m.measure.options.real("item_ms") > 0) {
    figures["bystander_s"];
    figures["busy_create_s"];
  }
  if (layers.front().front().size() > 1 && m.measure.options.real("late_ms") > 0) {
    figures["late_create_s"];
  }
  if (m.measure.options.integer("in_flight") > 0 && goes_on_beside_work(strategy.name, layers)) {
    figures["in_flight_s"];
    figures["hidden_fraction"];
  }
  if (m.measure.options.integer("storm_regroupings") > 0) {
    for (const char* name :
         {"communicators_limit_local", "communicators_limit_common", "storm_alive",
          "storm_limit_local", "storm_limit_common", "storm_leaked"}) {
      figures[name];
    }
  }
}

void add_steps(Figures& figures, const Scenario& m) {
  const auto groups =
      initial_groups(m.ranks, static_cast<int>(m.measure.options.integer("group_size")));
  figures["look_for_request_s"];
  if (groups.size() > 1) {
    figures["message_s"];
    figures["exchange_loads_s"];
  }
  if (groups.front().size() > 1) figures["tell_members_s"];
}

void add_sort(Figures& figures, const Scenario& m) {
  figures["time_min_s"];
  figures["time_median_s"];
  const bool divides = !strategy_of(m).empty();
  if (divides) figures.insert({{"creation_s", {}}, {"levels", {}}});
  if (m.ranks > 1) figures.insert({{"received_messages_max", {}}, {"moved_bytes", {}}});
  if (m.measure.options.integer("elements_per_rank") == 0) return;
  figures["imbalance"];
  if (divides || m.ranks == 1) figures["imbalance"] = 1;
}

/// Enough samples have an interval, beside what is told of them anyway.
void add_intervals(Figures& figures, const Scenario& m) {
  if (m.measure.options.integer("samples") < fewest_samples) return;
  for (const auto& [of, name] : {std::pair("create_median_s", "create"),
                                 {"free_median_s", "free"},
                                 {"time_median_s", "time"},
                                 {"in_flight_s", "in_flight"},
                                 {"bystander_s", "bystander"}}) {
    if (!figures.contains(of)) continue;
    figures[fmt::format("{}_low_s", name)];
    figures[fmt::format("{}_high_s", name)];
  }
  if (figures.contains("hidden_fraction"))
    figures.insert({{"hidden_fraction_low", {}}, {"hidden_fraction_high", {}}});
}

}  // namespace

Figures expected_figures(const Scenario& m, const NodeMap& nodes) {
  Figures figures;
  if (m.measure.name == "creation") add_creation(figures, m, nodes);
  if (m.measure.name == "steps") add_steps(figures, m);
  if (m.measure.name == "sort") add_sort(figures, m);
  if (m.measure.name == "collectives" || m.measure.name == "items") {
    figures = {{"time_min_s", {}}, {"time_median_s", {}}};
  }
  add_intervals(figures, m);
  return figures;
}

}  // namespace regroup
