// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/repeated_runs.hpp"

#include <algorithm>

#include "jobs/records/csv_cells.hpp"
#include "jobs/records/provenance.hpp"
#include "jobs/records/stored.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/hash.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

const std::string& placement_in(const Conditions& met) {
  const auto column = std::ranges::find(condition_columns, std::string_view("placement"));
  return met.at(static_cast<std::size_t>(column - condition_columns.begin()));
}

/// Finds settings, by what names their parameters.
class Places {
 public:
  /// The setting that `run` belongs to. One that did not end well met no conditions: it counts in
  /// the first setting with its parameters.
  RepeatedRuns& of(const Scenario& run, const std::optional<Conditions>& met) {
    Scenario same = run;
    same.repetition = 0;
    same.seed = 0;
    const std::uint64_t parameters = hash_number(fingerprint(same));
    const auto [first, last] = places_.equal_range(parameters);
    bool elsewhere = false;
    for (auto place = first; place != last; ++place) {
      RepeatedRuns& setting = settings_[place->second];
      if (met && !setting.met) setting.met = shared(*met);
      if (!met || *met == *setting.met) return setting;
      if (placement_in(*met) == placement_in(*setting.met)) continue;
      setting.elsewhere = elsewhere = true;
    }
    places_.emplace_hint(last, parameters, settings_.size());
    RepeatedRuns& setting = settings_.emplace_back();
    setting.scenario = run;
    setting.elsewhere = elsewhere;
    if (met) setting.met = shared(*met);
    return setting;
  }

  Settings settings() && { return std::move(settings_); }

 private:
  std::shared_ptr<const Conditions> shared(const Conditions& met) {
    std::shared_ptr<const Conditions>& known = met_[met];
    if (known == nullptr) known = std::make_shared<const Conditions>(met);
    return known;
  }

  Settings settings_;
  std::multimap<std::uint64_t, std::size_t> places_;
  std::map<Conditions, std::shared_ptr<const Conditions>> met_;
};

}  // namespace

std::string RepeatedRuns::condition(std::string_view name) const {
  const auto column = std::ranges::find(condition_columns, name);
  return met ? met->at(static_cast<std::size_t>(column - condition_columns.begin())) : "";
}

const std::vector<double>& RepeatedRuns::of(std::string_view name) const {
  const auto column = std::ranges::find(number_columns, name);
  return numbers.at(static_cast<std::size_t>(column - number_columns.begin()));
}

const RepeatedRuns::Problem* RepeatedRuns::only_problem() const {
  return problems.size() == 1 ? &problems.begin()->second : nullptr;
}

double RepeatedRuns::Problem::makespan_s() const { return median(makespans_s); }

static std::vector<double> over(double RepeatedRuns::Problem::*least_s, const RepeatedRuns& runs) {
  std::vector<double> ratios;
  for (const auto& [name, problem] : runs.problems) {
    if (problem.*least_s > 0) ratios.push_back(problem.makespan_s() / problem.*least_s);
  }
  return ratios;
}

std::vector<double> RepeatedRuns::of_ideal() const { return over(&Problem::ideal_s, *this); }

std::vector<double> RepeatedRuns::of_bound() const { return over(&Problem::bound_s, *this); }

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

Settings repeated_runs(const std::string& directory) {
  Places places;
  const std::string path = directory + "/runs.csv";
  check_schema(path);
  const InvocationNames invocations(directory);
  CsvReader reader(path);
  while (reader.next()) {
    const CsvRow row = reader.row();
    const Record record = stored_record(row, "run");
    const Scenario& run = record.task;
    const auto figure = [&](std::string_view name) {
      return number<double>(row, row.column(name));
    };
    std::optional<Conditions> met;
    if (record.status == Status::ok) {
      met.emplace();
      std::ranges::transform(condition_columns, met->begin(),
                             // Earlier versions told less.
                             [&](std::string_view n) { return row.has(n) ? row[n] : ""; });
      if (row.has("invocation")) met->back() = invocations.of(row["invocation"]);
    }
    RepeatedRuns& setting = places.of(run, met);
    if (!met) {
      ++setting.bad;
      continue;
    }
    ++setting.good;
    setting.seeds.insert(run.seed);
    // Earlier versions did not name problems; those with different ideals are different ones.
    RepeatedRuns::Problem& problem =
        setting.problems[row[row.has("problem") ? "problem" : "ideal_s"]];
    problem.ideal_s = figure("ideal_s");
    if (row.has("bound_s")) problem.bound_s = figure("bound_s");
    problem.makespans_s.push_back(figure("makespan_s"));
    for (std::size_t i = 0; i < number_columns.size(); ++i) {
      setting.numbers[i].push_back(figure(number_columns[i]));
    }
  }
  reader.fail_if_torn();
  return std::move(places).settings();
}

}  // namespace regroup
