// SPDX-License-Identifier: BSD-3-Clause
//
// The files of a sweep are read side by side, once, from start to end: a run's rows follow each
// other in each of them, and runs stand in the order in which they stand in runs.csv. Some thousand
// groups at a time are checked on all cores.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <span>
#include <thread>

#include "jobs/configuration/input_files.hpp"
#include "jobs/records/stored.hpp"
#include "jobs/results/inventory.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/verify/beside.hpp"
#include "jobs/verify/chains.hpp"
#include "jobs/verify/places.hpp"
#include "jobs/verify/verify.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"

namespace regroup {
namespace {

/// Checks `runs` on all cores; what is wrong comes in their order.
void verify_all(std::vector<RunInFiles>& runs, Faults& faults) {
  std::vector<Faults> found(runs.size());
  std::vector<std::exception_ptr> errors(runs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        found[i] = verify_run(std::move(runs[i]));
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(cores, runs.size()); ++i) workers.emplace_back(work);
    work();
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    faults.add(found[i]);
  }
  runs.clear();
}

/// What the row itself says, and what is to be found of the files that the run read.
RunInFiles read_run(const std::string& directory, const CsvReader& reader, InputFiles& files) {
  const CsvRow row = reader.row();
  RunInFiles run{directory,  reader.columns(),
                 row.line,   row["run"],
                 row.fields, stored_record(row, "run"),
                 true,       true,
                 {},         {},
                 {}};
  Scenario& scenario = run.record.task;
  if (!InputFiles::of(scenario).empty()) {
    const auto now = files.hash(scenario);
    const bool told = row.has("inputs_hash");
    if (!told) scenario.inputs = now.value_or("");
    run.inputs_are_known = told || fingerprint(scenario) == run.id;
    run.inputs_are_there = now && *now == scenario.inputs && run.inputs_are_known;
  }
  return run;
}

}  // namespace

Verified verify_runs(const std::string& directory, Origins& origins, Faults& faults) {
  constexpr std::size_t most_runs = 1024;
  constexpr std::size_t most_groups = 1 << 17;

  const std::string path = directory + "/runs.csv";
  check_schema(path);
  const bool unfinished = is_unfinished(directory);
  const RowPlaces places = places_of_rows(path, unfinished, faults);
  Beside events(directory + "/events.csv", "runs.csv", places, life_of, faults);
  Beside regroups(directory + "/regroups.csv", "runs.csv", places, regroups_of, faults);
  // Earlier versions wrote none.
  std::optional<Beside<ChainReport>> reports;
  if (const std::string file = directory + "/chains.csv"; is_there(file)) {
    reports.emplace(file, "runs.csv", places, report_in, faults);
  }
  CsvReader reader(path);
  const auto tables = Inventory::tables(files_of("run"));
  compare_columns(path, reader.columns(), names_of(tables.front().columns), faults);
  InputFiles files;
  ChainsCheck chains(path, faults);
  PlacesCheck places_check(directory, faults);
  const std::vector<GroupLife> no_lives;
  Verified verified;
  std::vector<RunInFiles> runs;
  std::size_t groups = 0;
  while (reader.next()) {
    RunInFiles run = read_run(directory, reader, files);
    origins.check(reader.row(), run.inputs_are_there);
    chains.compare(reader.row(), run.record);
    run.events = events.take(run.id, verified.rows);
    run.regroups = regroups.take(run.id, verified.rows);
    const std::span<const GroupLife> lives = run.events ? run.events->rows : no_lives;
    places_check.check(reader.row(), run.record, lives);
    if (reports) run.chains = reports->take(run.id, verified.rows);
    ++verified.rows;
    if (run.record.outcome) ++verified.ended_well;
    // Without events it may be simulated again, with as many groups.
    groups +=
        run.events ? run.events->rows.size() : static_cast<std::size_t>(run.record.task.ranks);
    runs.push_back(std::move(run));
    if (runs.size() < most_runs && groups < most_groups) continue;
    verify_all(runs, faults);
    groups = 0;
  }
  verify_all(runs, faults);
  verified.places = places_check.files();
  events.end(unfinished);
  regroups.end(unfinished);
  if (reports) reports->end(unfinished);
  return verified;
}

}  // namespace regroup
