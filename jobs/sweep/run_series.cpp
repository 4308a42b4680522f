// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/run_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/simgrid_job.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/sweep/predict.hpp"
#include "jobs/sweep/result_files.hpp"
#include "jobs/sweep/simulate_all.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/audit.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/groups.hpp"
#include "kernel/regroup_statistics.hpp"

namespace regroup {
namespace {

Report reported(const RunRecord& record) {
  const std::vector<std::int64_t> items = initial_items(record.scenario);
  Report report{record, {csv_line(run_fields(record, items)), "", ""}, "", ""};
  if (!record.outcome) return report;
  const std::string id = fingerprint(record.scenario);
  const std::vector<GroupLife>& lives = record.outcome->lives;
  report.lines[1] = regroup_lines(id, regroup_statistics(lives, record.scenario.ranks).processes);
  report.lines[2] = event_lines(id, lives);
  const double makespan = record.outcome->makespan_s();
  const double ideal = ideal_s(record.scenario, items);
  report.result = ideal == 0 ? fmt::format("{:.3f} s", makespan)
                             : fmt::format("{:.3f} s, {:.3f} × ideal", makespan, makespan / ideal);
  return report;
}

}  // namespace

RunSeries::RunSeries(Experiment experiment)
    : experiment_(std::move(experiment)), predictions_(experiment_) {
  command = "run";
  noun = "runs";
  configuration = experiment_;
  files = files_of_runs();
  left_out = experiment_.left_out();
}

Task RunSeries::task(std::size_t place) const {
  const Scenario run = experiment_.run(place);
  return {fingerprint(run), describe(run), regroup::unsupported(run), to_json(run), run.timeout_s};
}

std::string RunSeries::id(std::size_t place) const { return fingerprint(experiment_.run(place)); }

std::string RunSeries::description(std::size_t place) const {
  return describe(experiment_.run(place));
}

std::string RunSeries::unsupported(std::size_t place) const {
  if (experiment_.engine(place) == "virtual") return {};
  return regroup::unsupported(experiment_.run(place));
}

std::optional<double> RunSeries::predicted_s(std::size_t place) const {
  return predictions_.wall_s(place);
}

void RunSeries::check(std::span<const std::size_t> chosen) const {
  const auto launches = [&](std::string_view engine) {
    return std::ranges::any_of(
        chosen, [&](std::size_t place) { return experiment_.engine(place) == engine; });
  };
  if (launches("simgrid")) check_simgrid(configuration);
  if (launches("mpi")) check_launcher(configuration);
}

MpiJob RunSeries::job(std::size_t place, const std::string& task_file,
                      const std::string& outcome_file, const std::string& directory) const {
  const Scenario run = experiment_.run(place);
  return run.engine == "simgrid"
             ? simgrid_job(configuration, run, task_file, outcome_file, directory)
             : mpi_job(configuration, run.ranks, run.waiting, task_file, outcome_file);
}

Report RunSeries::report(std::size_t place, const Ended& ended, const std::string& outcome) const {
  RunRecord record{ended, experiment_.run(place), {}};
  if (ended.status == Status::ok) {
    const Scenario& run = record.scenario;
    record.outcome = outcome_from_json(outcome);
    const auto wrong = first_violation(
        record.outcome->lives, initial_groups(run.ranks, run.group_size), initial_items(run));
    if (wrong) throw std::invalid_argument(*wrong);
  }
  Report report = reported(record);
  if (record.outcome) {
    report.warning = waiting_warning(record.scenario.waiting, record.outcome->waiting,
                                     record.scenario.ranks, record.outcome->cores);
  }
  return report;
}

bool RunSeries::execute_here(std::span<const std::size_t> places, const Done& done) const {
  const auto end = std::ranges::find_if(
      places, [&](std::size_t place) { return experiment_.engine(place) != "virtual"; });
  const auto batch = places.first(static_cast<std::size_t>(end - places.begin()));
  std::size_t next = 0;
  simulate_all({batch.size(), [&](std::size_t i) { return experiment_.run(batch[i]); },
                [&](std::size_t i) { return experiment_.ranks(batch[i]); }},
               [&](const RunRecord& record) { return done(batch[next++], reported(record)); });
  return !batch.empty();
}

}  // namespace regroup
