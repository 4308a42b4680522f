// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/repeated_runs.hpp"

#include <algorithm>

#include "jobs/csv_cells.hpp"
#include "jobs/ended.hpp"
#include "jobs/provenance.hpp"
#include "jobs/stored_results.hpp"
#include "kernel/csv_reader.hpp"
#include "kernel/statistics.hpp"

namespace regroup {
namespace {

constexpr std::array number_columns{"regroups_avg", "regroups_stdev", "regroups_min",
                                    "regroups_max"};

/// The setting that `run` belongs to. One that did not end well met no conditions: it counts in the
/// first setting with its parameters.
std::size_t place_of(const StoredRun& run, const std::optional<Conditions>& met,
                     std::map<std::string, std::vector<std::size_t>>& places,
                     std::vector<RepeatedRuns>& settings) {
  Scenario same = run.scenario;
  same.repetition = 0;
  same.seed = 0;
  std::vector<std::size_t>& candidates = places[fingerprint(same)];
  for (const std::size_t place : candidates) {
    std::optional<Conditions>& others = settings[place].met;
    if (met && !others) others = met;
    if (!met || *met == *others) return place;
  }
  candidates.push_back(settings.size());
  settings.emplace_back().scenario = run.scenario;
  settings.back().met = met;
  return candidates.back();
}

}  // namespace

double RepeatedRuns::Problem::makespan_s() const { return median(makespans_s); }

std::vector<double> RepeatedRuns::of_ideal() const {
  std::vector<double> ratios;
  for (const auto& [name, problem] : problems) {
    if (problem.ideal_s > 0) ratios.push_back(problem.makespan_s() / problem.ideal_s);
  }
  return ratios;
}

std::optional<double> RepeatedRuns::off(const RepeatedRuns& real) const {
  std::vector<double> ratios;
  for (const auto& [name, problem] : problems) {
    const auto other = real.problems.find(name);
    if (other == real.problems.end() || other->second.makespan_s() <= 0) continue;
    ratios.push_back(problem.makespan_s() / other->second.makespan_s() - 1);
  }
  if (ratios.empty()) return std::nullopt;
  return median(std::move(ratios));
}

std::vector<RepeatedRuns> repeated_runs(const std::string& directory) {
  std::vector<RepeatedRuns> settings;
  std::map<std::string, std::vector<std::size_t>> places;
  const InvocationNames invocations(directory);
  CsvReader reader(directory + "/runs.csv");
  while (reader.next()) {
    const CsvRow row = reader.row();
    const StoredRun run = stored_run(row);
    const auto figure = [&](std::string_view name) {
      return number<double>(row, row.column(name));
    };
    std::optional<Conditions> met;
    if (run.status == name(Status::ok)) {
      met.emplace();
      std::ranges::transform(condition_columns, met->begin(),
                             [&](std::string_view name) { return row[name]; });
      if (row.has("invocation")) met->back() = invocations.of(row["invocation"]);
    }
    RepeatedRuns& setting = settings[place_of(run, met, places, settings)];
    if (!met) {
      ++setting.bad;
      continue;
    }
    ++setting.good;
    setting.seeds.insert(run.scenario.seed);
    // Earlier versions did not name problems; those with different ideals are different ones.
    RepeatedRuns::Problem& problem =
        setting.problems[row[row.has("problem") ? "problem" : "ideal_s"]];
    problem.ideal_s = figure("ideal_s");
    problem.makespans_s.push_back(figure("makespan_s"));
    for (const char* column : number_columns) setting.numbers[column].push_back(figure(column));
  }
  reader.fail_if_torn();
  return settings;
}

}  // namespace regroup
