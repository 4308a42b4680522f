// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>

#include "jobs/config_node.hpp"
#include "jobs/describe.hpp"
#include "jobs/launch.hpp"
#include "jobs/mpi_job.hpp"
#include "jobs/predict.hpp"
#include "jobs/progress.hpp"
#include "jobs/provenance.hpp"
#include "jobs/results.hpp"
#include "jobs/simgrid_job.hpp"
#include "jobs/simulate_all.hpp"
#include "kernel/csv.hpp"
#include "kernel/read_file.hpp"

namespace regroup {
namespace {

/// The line of a run's output that tells best what went wrong: our own, or else the first.
std::string reason_in(const std::string& log) {
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("regroup: ")) return line.substr(9);
    const bool says_something = line.find_first_not_of(" =\t") != std::string::npos;
    if (first.empty() && says_something) first = line;
  }
  return first;
}

/// The launcher's exit code when a rank was ended by SIGKILL: MPICH hands on the signal's number,
/// Open MPI and shells add 128.
bool says_killed(const Ending& ending) {
  if (ending.kind == Ending::Kind::signalled) return ending.code == 9;
  return ending.code == 9 || ending.code == 128 + 9;
}

void judge(RunRecord& record, const Ending& ending, const std::string& outcome_file,
           const std::string& log_file) {
  record.wall_s = ending.wall_s;
  if (ending.kind == Ending::Kind::timed_out) {
    record.status = Status::timeout;
    record.message = fmt::format("not done after {:g} s", record.scenario.timeout_s);
    return;
  }
  if (ending.kind == Ending::Kind::exited && ending.code == 0) {
    try {
      record.outcome = outcome_from_json(read_file(outcome_file).value_or(""));
      record.status = Status::ok;
      return;
    } catch (const std::exception&) {
      // It ended as if all were well, but left no whole outcome.
    }
  }
  record.status = says_killed(ending) ? Status::killed : Status::failed;
  const std::string reason = reason_in(read_file(log_file).value_or(""));
  const bool exited = ending.kind == Ending::Kind::exited;
  record.message = fmt::format("{} {}{}{}{}", exited ? "exit code" : "signal", ending.code,
                               exited && ending.code == 0 ? ", but no outcome was written" : "",
                               reason.empty() ? "" : ": ", reason);
}

class Sweep {
 public:
  Sweep(const Experiment& experiment, const SweepOptions& options)
      : experiment_(experiment),
        options_(options),
        results_(options.directory.empty() ? "results/" + experiment.name : options.directory) {}

  int run();

 private:
  void check_request() const;
  void open_results();
  bool wanted(const Scenario& run) const {
    return describe(run).find(options_.only) != std::string::npos;
  }
  std::vector<Scenario> to_do() const;
  bool execute(RunRecord& record, Progress& progress) const;
  int close(std::size_t done, std::size_t bad, double seconds) const;

  const Experiment& experiment_;
  const SweepOptions& options_;
  Results results_;
  std::set<std::string> there_;
  std::size_t unsupported_ = 0;
};

/// Finds what the user got wrong, before anything is written.
void Sweep::check_request() const {
  if (options_.overwrite && (options_.resume || options_.retry)) {
    throw UserError("--overwrite forgets the results that --resume and --retry keep; give one");
  }
  if (std::ranges::none_of(experiment_.runs, [&](const Scenario& run) { return wanted(run); })) {
    throw UserError(
        fmt::format("--only '{}': no run's description holds it; 'regroup plan {}' "
                    "shows them",
                    options_.only, experiment_.file));
  }
  const auto launches = [&](std::string_view engine) {
    return std::ranges::any_of(experiment_.runs, [&](const Scenario& run) {
      return run.engine == engine && wanted(run) && unsupported(run).empty();
    });
  };
  if (launches("simgrid")) check_simgrid(experiment_);
  if (launches("mpi")) check_launcher(experiment_);
}

void Sweep::open_results() {
  if (results_.exist() && !options_.overwrite) {
    if (!options_.resume && !options_.retry) {
      throw UserError(fmt::format(
          "{} holds results; --resume does what is missing, --retry also what did not end well, "
          "--overwrite starts anew, --out names another directory",
          results_.directory()));
    }
    const std::vector<std::string> there = results_.resume(options_.retry);
    there_ = {there.begin(), there.end()};
  } else {
    results_.start_anew();
  }
  std::filesystem::create_directories(results_.path("logs"));
  replace_file(results_.path("provenance.yaml"), provenance(experiment_, options_.command));
}

std::vector<Scenario> Sweep::to_do() const {
  std::vector<Scenario> runs;
  for (const Scenario& run : experiment_.runs) {
    if (wanted(run) && !there_.contains(fingerprint(run))) runs.push_back(run);
  }
  return runs;
}

/// Answers false when it was interrupted: then there is nothing to record.
bool Sweep::execute(RunRecord& record, Progress& progress) const {
  record.message = unsupported(record.scenario);
  if (!record.message.empty()) {
    record.status = Status::unsupported;
    return true;
  }
  const std::string id = fingerprint(record.scenario);
  const std::string scenario_file = results_.path("logs/" + id + ".scenario.json");
  const std::string outcome_file = results_.path("logs/" + id + ".outcome.json");
  const std::string log_file = results_.path("logs/" + id + ".log");
  std::filesystem::remove(outcome_file);
  replace_file(scenario_file, to_json(record.scenario) + "\n");

  const MpiJob job = record.scenario.engine == "simgrid"
                         ? simgrid_job(experiment_, record.scenario, scenario_file, outcome_file,
                                       results_.path("logs"))
                         : mpi_job(experiment_, record.scenario, scenario_file, outcome_file);
  const Ending ending = launch(
      job.command, job.environment, log_file, record.scenario.timeout_s,
      [](void* shown) { static_cast<Progress*>(shown)->tick(); }, &progress);
  const bool whole = ending.kind != Ending::Kind::interrupted;
  if (whole) judge(record, ending, outcome_file, log_file);
  std::filesystem::remove(outcome_file);
  if (record.status != Status::ok) return whole;
  std::filesystem::remove(scenario_file);
  if (std::filesystem::file_size(log_file) == 0) std::filesystem::remove(log_file);
  return whole;
}

int Sweep::run() {
  check_request();
  open_results();
  const std::vector<Scenario> runs = to_do();
  std::vector<double> predicted;
  double sum = 0;
  for (const Scenario& run : runs) sum += predicted.emplace_back(predicted_wall_s(run));
  fmt::print("{}: {} of {} runs to do, about {}; results in {}\n", experiment_.name, runs.size(),
             experiment_.runs.size(), duration(sum), results_.directory());

  Progress progress(std::move(predicted));
  const auto began = std::chrono::steady_clock::now();
  std::size_t done = 0;
  std::size_t bad = 0;
  const auto keep = [&](const RunRecord& record) {
    results_.add(record);
    progress.end(record);
    ++done;
    if (record.status == Status::unsupported) {
      ++unsupported_;
    } else if (record.status != Status::ok) {
      ++bad;
    }
  };
  while (done < runs.size() && !interrupted()) {
    const auto first = runs.begin() + static_cast<std::ptrdiff_t>(done);
    const auto last = std::find_if(first, runs.end(),
                                   [](const Scenario& run) { return run.engine != "virtual"; });
    if (first == last) {
      RunRecord record;
      record.scenario = *first;
      progress.begin(*first);
      if (execute(record, progress)) keep(record);
      continue;
    }
    simulate_all({first, last}, [&](const RunRecord& record) {
      progress.begin(record.scenario);
      keep(record);
      return !interrupted();
    });
  }
  return close(done, bad,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

int Sweep::close(std::size_t done, std::size_t bad, double seconds) const {
  if (interrupted()) {
    fmt::print("\ninterrupted after {} runs; 'regroup run {} --resume' does the rest\n", done,
               experiment_.file);
    return 130;
  }
  fmt::print("{} runs in {}", done, duration(seconds));
  if (unsupported_ > 0) fmt::print(", {} of them unsupported", unsupported_);
  if (bad > 0) {
    fmt::print("; {} did not end well: see status and message in {}, output in {}\n", bad,
               results_.path("runs.csv"), results_.path("logs"));
    return 1;
  }
  fmt::print(", {} ok\n", unsupported_ > 0 ? "the others" : "all");
  return 0;
}

}  // namespace

int run_sweep(const Experiment& experiment, const SweepOptions& options) {
  catch_interrupts();
  return Sweep(experiment, options).run();
}

}  // namespace regroup
