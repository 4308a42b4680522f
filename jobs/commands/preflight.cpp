// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "communicators/available.hpp"
#include "jobs/allocation/findings.hpp"
#include "jobs/allocation/settle.hpp"
#include "jobs/commands/commands.hpp"
#include "jobs/launch/interrupts.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/words/console.hpp"
#include "kernel/places/this_process.hpp"

namespace regroup {
namespace {

using Verdict = Finding::Verdict;

/// Tells what was found, and counts.
class PreflightReport {
 public:
  void add(const Finding& finding) {
    tell_text(line_of(finding));
    ++counts_.at(static_cast<std::size_t>(finding.verdict));
  }
  int wrong() const { return counts_[2]; }
  int warnings() const { return counts_[1]; }

 private:
  std::array<int, 3> counts_{};
};

std::string circumstances(const GivenHosts& given) {
  if (given.scheduler == Scheduler::none) {
    return fmt::format("on this machine, {} processors", own_cores());
  }
  std::string text = fmt::format("in job {} of {}", job_id(), given.name());
  if (given.hosts > 0)
    text += fmt::format(": {} hosts, {} processors", given.hosts, given.processors);
  return text;
}

/// The most ranks that the configuration launches, or that the job gives.
AskedRanks asked_ranks(const std::optional<Experiment>& experiment, const GivenHosts& given) {
  AskedRanks asked{std::max(2, given.scheduler == Scheduler::none ? own_cores() : 0), 0};
  if (given.processors > 0) asked.ranks = std::max(2, given.processors);
  if (given.ranks > 0) asked.ranks = std::max(2, given.ranks);
  if (!experiment) return asked;
  asked.ranks = 0;
  for (const std::size_t place : launched(*experiment, {})) {
    if (experiment->ranks(place) <= asked.ranks) continue;
    asked = {experiment->ranks(place), experiment->ranks_per_node(place)};
  }
  return asked;
}

/// Finds a launcher that two ranks find each other with, and puts it into `configuration`.
Finding find_launcher(Configuration& configuration, const GivenHosts& given) {
  if (configuration.launcher.empty() && given.scheduler != Scheduler::none) {
    const Settled settled = settle(configuration, given);
    configuration.job_launcher = settled.launcher;
    if (!settled.launcher.command.empty()) {
      return {Verdict::ok, "launcher", words_of(settled, given)};
    }
    return {Verdict::wrong, "launcher",
            fmt::format("{}; {}", fmt::join(settled.failed, "; "), advice_for(settled, given))};
  }
  check_launcher(configuration);
  const LaunchTrial trial = try_ranks(configuration, 2, 0, count_ranks);
  const std::string launcher = launcher_of(configuration);
  if (trial.kind == LaunchTrial::Kind::together) {
    return {Verdict::ok, "launcher",
            fmt::format("{} (2 ranks found each other after {:.1f} s)", launcher, trial.seconds)};
  }
  const bool alone = trial.kind == LaunchTrial::Kind::singletons;
  return {Verdict::wrong, "launcher",
          fmt::format("{}: {}{}", launcher, trial.complaint(),
                      alone ? ": it is another MPI library's, or speaks another PMI; srun has "
                              "--mpi=pmi2 and --mpi=pmix"
                            : "")};
}

Probe looked_at_by_all(const Configuration& configuration, const AskedRanks& asked,
                       const GivenHosts& given, PreflightReport& report) {
  tell("starting {} ranks\n", asked.ranks);
  const LaunchTrial trial = try_ranks(configuration, asked.ranks, asked.ranks_per_node, probe_all);
  Probe probe;
  if (trial.kind != LaunchTrial::Kind::together) {
    if (!interrupted()) report.add({Verdict::wrong, "ranks", trial.complaint()});
    return probe;
  }
  probe = probe_from_json(trial.answer);
  for (const Finding& finding : judged(probe, asked, given, trial.seconds)) report.add(finding);
  return probe;
}

int ended(const PreflightReport& report) {
  if (interrupted()) return 130;
  const auto number = [](int count, const char* one, const char* more) {
    return fmt::format("{} {}", count, count == 1 ? one : more);
  };
  if (report.wrong() > 0) {
    tell("{}\n", number(report.wrong(), "thing is wrong", "things are wrong"));
  } else if (report.warnings() > 0) {
    tell("it works, with {}\n", number(report.warnings(), "warning", "warnings"));
  } else {
    tell("all is well\n");
  }
  return report.wrong() > 0 ? 1 : 0;
}

}  // namespace

int preflight(const ConfigSource& config, int ranks) {
  std::optional<Experiment> experiment;
  if (!config.path.empty()) experiment = read_experiment(config);
  Configuration configuration = experiment ? Configuration(*experiment) : Configuration();
  if (config.path.empty()) configuration.file = "preflight";
  const GivenHosts given = given_hosts();
  AskedRanks asked = asked_ranks(experiment, given);
  if (asked.ranks == 0) {
    tell("{}: launches nothing, so nothing can be wrong\n", config.path);
    return 0;
  }
  if (ranks > 0) asked.ranks = ranks;
  catch_interrupts();
  tell("{}\n", circumstances(given));
  PreflightReport report;
  report.add(find_launcher(configuration, given));
  if (report.wrong() > 0 || interrupted()) return ended(report);
  const Probe probe = looked_at_by_all(configuration, asked, given, report);
  std::vector<std::string> missing;
  for (const std::string_view strategy : missing_strategies) missing.emplace_back(strategy);
  if (probe.ranks > 0) report.add(judged_library(probe.library, missing));
  return ended(report);
}

}  // namespace regroup
