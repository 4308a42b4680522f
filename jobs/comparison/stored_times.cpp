// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/comparison/stored_times.hpp"

#include <fmt/format.h>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/parameters.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/records/csv_cells.hpp"
#include "jobs/records/provenance.hpp"
#include "jobs/records/stored.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/csv_reader.hpp"

namespace regroup {
namespace {

/// Repetitions and seeds make samples of one time, but in virtual time, where each is exact.
Values parameters_of(const Record& record, bool exact) {
  const Scenario& task = record.task;
  Values values;
  const auto add = [&](const Options& options) {
    for (const auto& [name, text] : options) values[name] = text;
  };
  for (const Parameter& parameter : parameters()) {
    if (!parameter.is_column() || !parameter.applies(task.kind())) continue;
    const std::string name(parameter.spec.name);
    if (!exact && (name == "seed" || name == "repetition")) continue;
    values[name] = text_of(parameter, task);
    if (const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member)) {
      add((task.**choice).options);
    }
  }
  add(task.measure.options);
  if (!task.inputs.empty()) values["inputs_hash"] = task.inputs;
  return values;
}

Values conditions_of(const Record& record) {
  const Whereabouts& where = record.outcome->where;
  const auto number = [](int n) { return n == 0 ? std::string() : std::to_string(n); };
  return {{"mpi_library", record.outcome->library}, {"regroup_version", record.version},
          {"waited", record.outcome->waiting},      {"cores", number(where.cores)},
          {"nodes", number(where.nodes)},           {"invocation", record.invocation}};
}

/// What a row had to do, beside its parameters. Earlier versions did not name problems; runs with
/// different ideals had different ones.
std::string problem_of(const CsvRow& row, const Scenario& task) {
  if (task.is_run()) return row[row.has("problem") ? "problem" : "ideal_s"];
  const Options& options = task.measure.options;
  const bool drawn = options.has("pattern") &&
                     find_entry(standard_catalog().patterns, options.text("pattern"))->drawn;
  return drawn ? fmt::format("seed {}", task.seed) : "";
}

/// Whether `name` ends in `end`, and then what is before.
std::optional<std::string> before(std::string_view name, std::string_view end) {
  if (!name.ends_with(end)) return std::nullopt;
  return std::string(name.substr(0, name.size() - end.size()));
}

/// Of those figures that are times, but for the ends of their intervals and the extremes.
std::map<std::string, StoredTime> times_of(const std::map<std::string, double>& figures) {
  std::map<std::string, StoredTime> times;
  for (const auto& [name, seconds] : figures) {
    if (!name.ends_with("_s") || before(name, "_min_s") || before(name, "_low_s") ||
        before(name, "_high_s")) {
      continue;
    }
    const auto median_of = before(name, "_median_s");
    const std::string stem = median_of ? *median_of : *before(name, "_s");
    const auto low = figures.find(stem + "_low_s");
    const auto high = figures.find(stem + "_high_s");
    StoredTime& time = times[name] = {seconds, std::nullopt};
    if (low != figures.end() && high != figures.end()) {
      time.interval = Interval{low->second, high->second};
    }
  }
  return times;
}

}  // namespace

std::vector<ComparedRow> compared_rows(const std::string& directory, std::string_view kind) {
  std::vector<ComparedRow> rows;
  each_stored(directory, kind, [&](const CsvRow& row, const Record& record) {
    ComparedRow& compared = rows.emplace_back();
    compared.exact = record.task.is_run() && engine_of(record.task).exact;
    compared.parameters = parameters_of(record, compared.exact);
    compared.status = record.status;
    compared.told = describe(record.task);
    if (!record.outcome) {
      compared.told = fmt::format("{}: {}: {}", name(record.status), compared.told, record.message);
      return;
    }
    compared.conditions = conditions_of(record);
    compared.placement = record.outcome->where.placement;
    compared.problem = problem_of(row, record.task);
    compared.times =
        record.task.is_run()
            ? std::map<std::string, StoredTime>{{"makespan_s",
                                                 {number<double>(row, "makespan_s"), std::nullopt}}}
            : times_of(record.outcome->figures);
  });
  return rows;
}

}  // namespace regroup
