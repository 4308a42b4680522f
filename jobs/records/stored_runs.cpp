// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/stored_runs.hpp"

#include <fmt/format.h>

#include "communicators/strategies.hpp"
#include "jobs/catalog/catalog.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/records/csv_cells.hpp"
#include "jobs/records/ended.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/items/walker.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

/// The row of `list` that the cell in `column` names.
template <class List>
const auto& entry_named(const CsvRow& row, std::string_view column, const List& list) {
  const auto* entry = find_entry(list, row[column]);
  if (entry == nullptr) fail_in_row(row, fmt::format("unknown {} '{}'", column, row[column]));
  return *entry;
}

const std::string& checked(const CsvRow& row, const OptionSpec& spec) {
  const std::string& value = row[spec.name];
  if (const std::string wrong = complaint(spec, value); !wrong.empty()) fail_in_row(row, wrong);
  return value;
}

/// Checks the values of a row that are no choices with options.
void check_row(const CsvRow& row) {
  for (const OptionSpec& spec : parameters()) {
    if (spec.name != "timeout_s") checked(row, spec);  // no property of the result, so no column
  }
  entry_named(row, "engine", engines());
  entry_named(row, "walker", standard_catalog().walkers);
  if (!row["communicator"].empty()) entry_named(row, "communicator", strategies);
  if (!status_named(row["status"])) {
    fail_in_row(row, fmt::format("unknown status '{}'", row["status"]));
  }
  if (row["status"] != name(Status::ok)) return;
  for (const char* column : {"makespan_s", "ideal_s", "regroups_avg", "regroups_stdev",
                             "regroups_min", "regroups_max"}) {
    number<double>(row, column);
  }
}

template <class List>
Choice choice(const CsvRow& row, std::string_view column, const List& list) {
  Choice chosen{row[column], {}};
  for (const OptionSpec& spec : entry_named(row, column, list).options) {
    chosen.options.set(std::string(spec.name), checked(row, spec));
  }
  return chosen;
}

}  // namespace

StoredRun stored_run(const CsvRow& row) {
  check_row(row);
  StoredRun run;
  run.id = row["run"];
  run.status = row["status"];
  run.fields = row.fields;
  Scenario& scenario = run.scenario;
  scenario.experiment = row["experiment"];
  scenario.engine = row["engine"];
  scenario.ranks = number<int>(row, "ranks");
  scenario.group_size = number<int>(row, "group_size");
  scenario.item_ms = number<double>(row, "item_ms");
  scenario.walker = row["walker"];
  scenario.communicator = row["communicator"];
  scenario.waiting = row["waiting"];
  scenario.repetition = number<int>(row, "repetition");
  scenario.seed = number<std::uint64_t>(row, "seed");
  scenario.workload = choice(row, "workload", standard_catalog().workloads);
  scenario.speedup = choice(row, "speedup", standard_catalog().speedups);
  scenario.costs = row["costs"].empty() ? Choice{} : choice(row, "costs", standard_catalog().costs);
  scenario.jitter = number<double>(row, "jitter");
  scenario.balancer = choice(row, "balancer", standard_catalog().balancers);
  if (row.has("inputs")) scenario.inputs = row["inputs"];
  return run;
}

RunRecord stored_record(const CsvRow& row, const Scenario& scenario) {
  const auto real = [&](std::string_view name) {
    return row[name].empty() ? 0 : number<double>(row, name);
  };
  const auto whole = [&](std::string_view name) {
    return row[name].empty() ? 0 : number<int>(row, name);
  };
  RunRecord record;
  record.scenario = scenario;
  record.status = *status_named(row["status"]);
  record.message = row["message"];
  record.wall_s = real("wall_s");
  record.memory_mb = real("memory_mb");
  if (record.status != Status::ok) return record;
  Outcome& outcome = record.outcome.emplace();
  outcome.communicators_alive_max = whole("communicators_alive_max");
  outcome.communicators_left = whole("communicators_left");
  outcome.cores = whole("cores");
  outcome.waiting = row["waited"];
  outcome.library = row["library"];
  outcome.setup_s = real("setup_s");
  return record;
}

}  // namespace regroup
