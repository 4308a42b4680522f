// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/preflight.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "driver/execute/allocation.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/mpi_job.hpp"
#include "kernel/places/host.hpp"
#include "kernel/places/probe.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "regroup/groups.hpp"

namespace regroup {
namespace {

enum class Severity { ok, warning, wrong };

/// The result of one check.
struct Finding {
  Severity severity = Severity::ok;
  std::string what;  ///< "clocks"
  std::string text;
};

/// The requested ranks.
struct AskedRanks {
  int ranks = 0;
  int ranks_per_node = 0;  ///< 0: the launcher decides
};

// Limits for warnings.
constexpr double slow_between_us = 20;  // TCP takes as long; InfiniBand and its like 1 to 3
constexpr double slow_inside_us = 5;    // shared memory takes less than 1
constexpr double wrong_clock_us = 50;   // half of a round trip by TCP
constexpr int few_communicators = 100;

std::string micro(double microseconds) { return in_fitting_unit(1e-6 * microseconds); }

Finding ranks_found(const Probe& probe, const AskedRanks& asked, const GivenHosts& given,
                    double seconds) {
  Finding finding{Severity::ok, "ranks", ""};
  const int least = probe.least_on_a_host;
  const int most = probe.most_on_a_host;
  finding.text =
      fmt::format("{} on {}, {} on each, started in {} s", counted(probe.ranks, "rank"),
                  counted(probe.hosts, "host"),
                  least == most ? std::to_string(most) : fmt::format("{} to {}", least, most),
                  rounded(seconds, 1));
  const std::string unlike =
      node_mismatch(asked.ranks_per_node, probe.ranks, probe.hosts, probe.most_on_a_host);
  if (probe.ranks != asked.ranks) {
    finding.severity = Severity::wrong;
    finding.text +=
        fmt::format("; {} were requested: does the launcher use {{ranks}}?", asked.ranks);
  } else if (!unlike.empty()) {
    finding.severity = Severity::wrong;
    finding.text += "; " + unlike;
  } else if (given.hosts > 1 && probe.hosts == 1 && asked.ranks_per_node == 0 && probe.ranks > 1) {
    finding.severity = Severity::warning;
    finding.text += fmt::format("; the job has {} hosts", given.hosts);
  }
  return finding;
}

Finding processors_found(const Probe& probe) {
  if (probe.crowded_hosts == 0) {
    return {Severity::ok, "processors",
            fmt::format("{}, one or more for each rank", probe.processors)};
  }
  std::string more;
  if (probe.crowded_hosts > 1) {
    more = fmt::format(", and so on {} more", counted(probe.crowded_hosts - 1, "host"));
  }
  return {Severity::warning, "processors",
          fmt::format("{}{}: ranks share processors, wait with naps, and run more slowly",
                      probe.crowded, more)};
}

Finding messages_found(const Probe& probe) {
  Finding finding{Severity::ok, "messages", "not measured: there is only one rank"};
  std::vector<std::string> ways;
  if (probe.between_us > 0) ways.push_back(micro(probe.between_us) + " between hosts");
  if (probe.inside_us > 0) ways.push_back(micro(probe.inside_us) + " inside a host");
  if (!ways.empty()) finding.text = fmt::format("{}", fmt::join(ways, ", "));
  if (probe.crowded_hosts > 0) {
    finding.text += "; long, because ranks share processors";
  } else if (probe.between_us > slow_between_us) {
    finding.severity = Severity::warning;
    finding.text +=
        "; as slow as TCP, while networks such as InfiniBand take 1 to 3 µs: is MPI built for this "
        "network, and do UCX_TLS, FI_PROVIDER or OMPI_MCA_… permit it?";
  } else if (probe.inside_us > slow_inside_us) {
    finding.severity = Severity::warning;
    finding.text +=
        "; shared memory takes less than 1 µs: check UCX_TLS and other processes on this host";
  }
  return finding;
}

Finding clocks_found(const Probe& probe) {
  if (probe.hosts == 1) return {Severity::ok, "clocks", "one host, so one clock"};
  Finding finding{Severity::ok, "clocks",
                  fmt::format("times measured on other hosts have an error of at most {}",
                              micro(probe.clock_error_us))};
  if (probe.clock_error_us > wrong_clock_us) {
    finding.severity = Severity::warning;
    finding.text += ": hosts, or the network between them, are busy";
  }
  return finding;
}

Finding shared_memory_found(const Probe& probe) {
  const double needed_mb = shared_memory_per_rank / 1e6;
  Finding finding{Severity::ok, "/dev/shm",
                  fmt::format("{:.0f} MB free per rank, on {}, the host with the least space",
                              probe.shared_mb, probe.shared_least)};
  if (probe.shared_mb < needed_mb) {
    finding.severity = Severity::warning;
    finding.text += fmt::format(
        "; UCX may need {:.0f}: delete files, or set 'environment: {{UCX_TLS: \"…,sysv\"}}'",
        needed_mb);
  }
  return finding;
}

Finding communicators_found(const Probe& probe) {
  const bool all = probe.communicators >= most_communicators_tried;
  return {probe.communicators < few_communicators ? Severity::warning : Severity::ok,
          "communicators",
          fmt::format("a rank can have {} {} at the same time", all ? "at least" : "up to",
                      probe.communicators)};
}

std::string line_about(const Finding& finding) {
  constexpr std::array words{"ok", "warning", "wrong"};
  return fmt::format("{:<8} {:<13}  {}\n", words.at(static_cast<std::size_t>(finding.severity)),
                     finding.what, finding.text);
}

std::vector<Finding> judged(const Probe& probe, const AskedRanks& asked, const GivenHosts& given,
                            double seconds) {
  return {ranks_found(probe, asked, given, seconds),
          processors_found(probe),
          messages_found(probe),
          clocks_found(probe),
          shared_memory_found(probe),
          communicators_found(probe)};
}

Finding judged_library(const std::string& library, const std::vector<std::string>& missing) {
  if (missing.empty()) {
    return {Severity::ok, "constructors", library + " has the functions of all strategies"};
  }
  return {Severity::warning, "constructors",
          fmt::format("{} lacks the functions of {}: their rows will be 'unsupported'", library,
                      fmt::join(missing, ", "))};
}

/// Prints findings, and counts them by severity.
class PreflightReport {
 public:
  void add(const Finding& finding) {
    print_out_text(line_about(finding));
    ++counts_.at(static_cast<std::size_t>(finding.severity));
  }
  int count(Severity severity) const { return counts_.at(static_cast<std::size_t>(severity)); }

 private:
  std::array<int, 3> counts_{};
};

std::string circumstances(const GivenHosts& given) {
  if (given.hosts == 0) return fmt::format("on this machine, {} processors", own_cores());
  return fmt::format("in job {} of Slurm: {} hosts, {} processors", job_id(), given.hosts,
                     given.processors);
}

/// Returns the most ranks that the configuration launches or, without one, that the job provides.
AskedRanks asked_ranks(const std::optional<Experiment>& experiment, const GivenHosts& given) {
  AskedRanks asked{std::max(2, given.hosts == 0 ? own_cores() : 0), 0};
  if (given.processors > 0) asked.ranks = std::max(2, given.processors);
  if (given.ranks > 0) asked.ranks = std::max(2, given.ranks);
  if (!experiment) return asked;
  asked.ranks = 0;
  for (const std::size_t i : launched(*experiment, {})) {
    if (experiment->ranks(i) <= asked.ranks) continue;
    asked = {experiment->ranks(i), experiment->ranks_per_node(i)};
  }
  return asked;
}

/// Finds a launcher with which two ranks connect, and sets it in `configuration`.
Finding find_launcher(Configuration& configuration, const GivenHosts& given) {
  if (configuration.launcher.empty() && given.hosts > 0) {
    const Settled settled = settle(configuration, given);
    configuration.job_launcher = settled.launcher;
    if (!settled.launcher.command.empty()) {
      return {Severity::ok, "launcher", words_of(settled)};
    }
    return {Severity::wrong, "launcher",
            fmt::format("{}; {}", fmt::join(settled.failed, "; "), advice_for(settled))};
  }
  check_launcher(configuration);
  const LaunchTrial trial = try_ranks(configuration, 2, 0, count_ranks);
  const std::string launcher = launcher_of(configuration);
  if (trial.kind == LaunchTrial::Kind::together) {
    return {Severity::ok, "launcher",
            fmt::format("{} (2 ranks connected after {} s)", launcher, rounded(trial.seconds, 1))};
  }
  const bool alone = trial.kind == LaunchTrial::Kind::singletons;
  return {Severity::wrong, "launcher",
          fmt::format("{}: {}{}", launcher, trial.complaint(),
                      alone ? ": it belongs to another MPI library, or uses another version of "
                              "PMI; srun has --mpi=pmi2 and --mpi=pmix"
                            : "")};
}

Probe looked_at_by_all(const Configuration& configuration, const AskedRanks& asked,
                       const GivenHosts& given, PreflightReport& report) {
  print_out("starting {} ranks\n", asked.ranks);
  const LaunchTrial trial = try_ranks(configuration, asked.ranks, asked.ranks_per_node, probe_all);
  Probe probe;
  if (trial.kind != LaunchTrial::Kind::together) {
    if (!interrupted()) report.add({Severity::wrong, "ranks", trial.complaint()});
    return probe;
  }
  probe = probe_from_json(trial.answer);
  for (const Finding& finding : judged(probe, asked, given, trial.seconds)) report.add(finding);
  return probe;
}

int ended(const PreflightReport& report) {
  if (interrupted()) return 130;
  const int wrong = report.count(Severity::wrong);
  const int warnings = report.count(Severity::warning);
  if (wrong > 0) {
    print_out("{} failed\n", counted(wrong, "check"));
  } else if (warnings > 0) {
    print_out("all checks passed, with {}\n", counted(warnings, "warning"));
  } else {
    print_out("all checks passed\n");
  }
  return wrong > 0 ? 1 : 0;
}

}  // namespace

int preflight(const ConfigSource& config, int ranks, const Catalog& catalog) {
  std::optional<Experiment> experiment;
  if (!config.path.empty()) experiment = read_experiment(config, catalog);
  Configuration configuration = experiment ? Configuration(*experiment) : Configuration();
  if (config.path.empty()) configuration.file = "preflight";
  const GivenHosts given = given_hosts();
  AskedRanks asked = asked_ranks(experiment, given);
  if (asked.ranks == 0) {
    print_out("{}: no task launches processes, so there is nothing to check\n", config.path);
    return 0;
  }
  if (ranks > 0) asked.ranks = ranks;
  catch_interrupts();
  print_out("{}\n", circumstances(given));
  PreflightReport report;
  report.add(find_launcher(configuration, given));
  if (report.count(Severity::wrong) > 0 || interrupted()) return ended(report);
  const Probe probe = looked_at_by_all(configuration, asked, given, report);
  std::vector<std::string> missing;
  for (const Strategy& strategy : catalog.strategies) {
    if (strategy.make == nullptr) missing.emplace_back(strategy.name);
  }
  if (probe.ranks > 0) report.add(judged_library(probe.library, missing));
  return ended(report);
}

}  // namespace regroup
