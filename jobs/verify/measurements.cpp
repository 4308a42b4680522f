// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/catalog/expected_figures.hpp"
#include "jobs/catalog/measured.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/records/stored.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/verify/beside.hpp"
#include "jobs/verify/outcome.hpp"
#include "jobs/verify/places.hpp"
#include "jobs/verify/verify.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/measurement/sampled.hpp"

namespace regroup {
namespace {

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

  /// `nodes`: those that its ranks were on, where they are known. `samples`: its rows, if any, in
  /// the file `samples_path`; of older versions there is none.
  void run(const NodeMap& nodes, const std::optional<Block<SampleRow>>& samples,
           const std::string& samples_path) {
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
    check_samples(samples, samples_path);
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

  /// That they are those which the figures are made of.
  void check_samples(const std::optional<Block<SampleRow>>& block, const std::string& path) {
    const std::size_t there = block ? block->rows.size() : 0;
    if (!row_.has("samples_rows")) {
      return faults_.unchecked("samples of measurements: there is no column 'samples_rows'");
    }
    if (const std::string& told = row_["samples_rows"]; told != std::to_string(there)) {
      wrong(fmt::format("samples_rows is '{}', but there are {}", told, there));
    }
    const auto wrong_sample = [&](std::size_t place, const std::string& what) {
      faults_.add(path, block->line + place, fmt::format("measurement {}: {}", row_["run"], what));
    };
    if (!record_.outcome) {
      if (block) wrong_sample(0, "samples of what did not end well");
      return;
    }
    const auto taken = static_cast<std::size_t>(record_.task.measure.options.integer("samples"));
    Samples samples;
    if (block) {
      const auto found = find_wrong_samples(block->rows, taken);
      if (found) return wrong_sample(found->place, found->what);
      for (const SampleRow& row : block->rows) samples[row.figure].push_back(row.sample);
    }
    if (kept_of(taken) < taken) {
      return faults_.unchecked("figures of measurements, of whose samples not all are kept");
    }
    check_figures_of(samples);
  }

  void check_figures_of(const Samples& samples) {
    const auto& figures = record_.outcome->figures;
    const std::map<std::string, double> right = figures_of(samples);
    for (const auto& [name, value] : figures) {
      if (!comes_of_samples(name)) continue;
      const auto found = right.find(name);
      if (found == right.end()) {
        wrong(fmt::format("there are no samples that {} is of", name));
      } else if (found->second != value) {
        wrong(fmt::format("{} is {}, but its samples tell of {}", name, value, found->second));
      }
    }
    for (const auto& [name, value] : right) {
      if (!figures.contains(name)) wrong(fmt::format("there is no {}, but samples of it", name));
    }
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
  const bool unfinished = is_unfinished(directory);
  const std::string samples_path = fmt::format("{}/{}", directory, samples_file);
  // Earlier versions wrote none.
  std::optional<Beside<SampleRow>> samples;
  const RowPlaces rows = places_of_rows(reader.path(), unfinished, faults);
  if (is_there(samples_path)) {
    samples.emplace(samples_path, file_of(kind.name), rows, sample_in, faults);
  }
  while (reader.next()) {
    const CsvRow row = reader.row();
    MeasurementCheck check(kind, row, faults);
    const Outcome* outcome = check.record().outcome ? &*check.record().outcome : nullptr;
    const bool needed = outcome != nullptr && needs_nodes(check.record().task);
    check.run(
        needed ? places.map_of(outcome->where.placement, check.record().task.ranks) : NodeMap(),
        samples ? samples->take(row["run"], verified.rows) : std::nullopt, samples_path);
    places.check(row, check.record());
    origins.check(row, true);
    ++verified.rows;
    if (row["status"] == name(Status::ok)) ++verified.ended_well;
  }
  verified.places = places.files();
  if (samples) samples->end(unfinished);
  return verified;
}

}  // namespace regroup
