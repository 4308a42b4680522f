// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "jobs/catalog/measured.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/records/stored.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/verify/places.hpp"
#include "jobs/verify/verify.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/groups/groups.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

/// The figures of a measurement that follow from its parameters: those that must be there, with
/// their value where it does.
using Figures = std::map<std::string, std::optional<double>>;

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

/// Figures that are differences, and so may be below 0.
bool is_difference(std::string_view figure) {
  return figure.starts_with("bystander_") || figure.starts_with("hidden_fraction") ||
         figure == "late_create_s" || figure == "tell_members_s";
}

/// Figures that depend on the MPI library or on how many samples there are.
bool may_be_there(std::string_view figure) {
  return figure == "storm_lost" || figure == "constructor_calls" || figure.ends_with("messages") ||
         figure.ends_with("bytes") || figure.ends_with("_low_s") || figure.ends_with("_high_s");
}

/// Figures of which none is larger than the next one, as far as they are there.
constexpr std::array<std::array<std::string_view, 4>, 8> ascending{{
    {"create_min_s", "create_low_s", "create_median_s", "create_high_s"},
    {"free_min_s", "free_low_s", "free_median_s", "free_high_s"},
    {"time_min_s", "time_low_s", "time_median_s", "time_high_s"},
    {"bystander_low_s", "bystander_s", "bystander_high_s", ""},
    {"in_flight_low_s", "in_flight_s", "in_flight_high_s", ""},
    {"hidden_fraction_low", "hidden_fraction", "hidden_fraction_high", ""},
    {"communicators_alive_before", "communicators_alive_after", "communicators_alive_max", ""},
    {"storm_limit_common", "communicators_limit_common", "", ""},
}};

class MeasurementCheck {
 public:
  MeasurementCheck(const MeasurementKind& kind, const CsvRow& row, Faults& faults)
      : row_(row), faults_(faults), record_(stored_record(row, kind.name)) {}

  const Record& record() const { return record_; }

  /// `nodes`: those that its ranks were on, where they are known.
  void run(const NodeMap& nodes) {
    const std::string right = fingerprint(record_.task);
    if (!record_.whole) {
      faults_.unchecked("names of measurements of which no column tells some parameters");
    } else if (row_["run"] != right) {
      return wrong(fmt::format("its parameters are those of a measurement {}", right));
    }
    check_status();
    if (record_.outcome && needs_nodes(record_.task)) {
      const std::string why = impossible(record_.task, standard_catalog(), nodes);
      if (!why.empty()) wrong(fmt::format("it must be unsupported: {}", why));
      if (why.empty() && nodes.known()) check_figures(record_.outcome->figures, nodes);
    } else if (record_.outcome) {
      check_figures(record_.outcome->figures, nodes);
    }
    check_cells();
  }

 private:
  void wrong(const std::string& what) {
    faults_.add(row_.path, row_.line,
                fmt::format("measurement {} ({}): {}", row_["run"], describe(record_.task), what));
  }

  void check_status() {
    const std::string why = impossible(record_.task);
    if (const auto complaint = complaint_about_message(record_); !complaint.empty()) {
      wrong(std::string(complaint));
    }
    if (why.empty() || (record_.status == Status::unsupported && record_.message.ends_with(why))) {
      return;
    }
    if (record_.status == Status::unsupported && record_.message.starts_with("the MPI library")) {
      return;
    }
    wrong(fmt::format("it must be unsupported: {}", why));
  }

  void check_figures(const std::map<std::string, double>& figures, const NodeMap& nodes) {
    const Figures expected = expected_figures(record_.task, nodes);
    for (const auto& [name, value] : figures) {
      if (!std::isfinite(value) || (value < 0 && !is_difference(name))) {
        wrong(fmt::format("{} is {}", name, value));
      }
      if (!expected.contains(name) && !may_be_there(name)) {
        wrong(fmt::format("there is a {}, which has no meaning here", name));
      }
    }
    for (const auto& [name, value] : expected) {
      const auto found = figures.find(name);
      if (found == figures.end()) {
        if (row_.has(name)) wrong(fmt::format("there is no {}", name));
      } else if (value && found->second != *value) {
        wrong(fmt::format("{} is {} instead of {}", name, found->second, *value));
      }
    }
    for (const auto& names : ascending) check_order(figures, names);
  }

  void check_order(const std::map<std::string, double>& figures,
                   std::span<const std::string_view> names) {
    auto last = figures.end();
    for (const std::string_view name : names) {
      const auto found = figures.find(std::string(name));
      if (found == figures.end()) continue;
      if (last != figures.end() && found->second < last->second) {
        wrong(
            fmt::format("{} is {}, but {} is {}", last->first, last->second, name, found->second));
      }
      last = found;
    }
  }

  /// Writes the row anew. What is a fact of its own comes out as it was.
  void check_cells() {
    const std::vector<std::string> names = names_of(columns_of(record_.task.kind()));
    const std::vector<std::string> right = fields_of(record_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "run" && !record_.whole) continue;
      if (!row_.has(names[i]) || names[i] == "regroup_version" || row_[names[i]] == right[i])
        continue;
      wrong(fmt::format("{} is '{}' instead of '{}'", names[i], row_[names[i]], right[i]));
    }
    const double setup_s = record_.outcome ? record_.outcome->setup_s : 0;
    if (!(record_.wall_s >= 0) || !std::isfinite(record_.wall_s)) {
      wrong(fmt::format("wall_s is {}", record_.wall_s));
    }
    if (!(setup_s >= 0) || !(setup_s <= record_.wall_s)) {
      wrong(fmt::format("setup_s is {}, wall_s {}", setup_s, record_.wall_s));
    }
    const double error_us = record_.outcome ? record_.outcome->clock_error_us : 0;
    if (!(error_us >= 0) || !std::isfinite(error_us)) {
      wrong(fmt::format("clock_error_us is {}", error_us));
    }
  }

  const CsvRow& row_;
  Faults& faults_;
  const Record record_;
};

}  // namespace

Verified verify_measurements(const MeasurementKind& kind, const std::string& directory,
                             Origins& origins, Faults& faults) {
  const std::string path = directory + "/" + file_of(kind.name);
  check_schema(path);
  CsvReader reader(path);
  const auto tables = Inventory::tables(files_of(kind.name));
  compare_columns(reader.path(), reader.columns(), names_of(tables.front().columns), faults);
  Verified verified;
  PlacesCheck places(directory, faults);
  std::set<std::string> seen;
  while (reader.next()) {
    const CsvRow row = reader.row();
    MeasurementCheck check(kind, row, faults);
    const Outcome* outcome = check.record().outcome ? &*check.record().outcome : nullptr;
    const bool needed = outcome != nullptr && needs_nodes(check.record().task);
    check.run(needed ? places.map_of(outcome->where.placement, check.record().task.ranks)
                     : NodeMap());
    places.check(row, check.record());
    origins.check(row, true);
    if (!seen.insert(row["run"]).second) {
      faults.add(reader.path(), row.line,
                 fmt::format("measurement {} stands there before", row["run"]));
    }
    ++verified.rows;
    if (row["status"] == name(Status::ok)) ++verified.ended_well;
  }
  verified.places = places.files();
  check_end(reader, is_unfinished(directory), faults);
  return verified;
}

}  // namespace regroup
