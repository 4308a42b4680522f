// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/allocation/settle.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jobs/launch/command_line.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/launch/interrupts.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/words/console.hpp"
#include "kernel/files/user_error.hpp"
#include "kernel/places/probe.hpp"

namespace regroup {
namespace {

/// "srun --mpi=pmi2": a launcher without the number of ranks.
std::string in_short(const std::string& command) {
  return command.substr(0, command.find(" -n {ranks}"));
}

/// Nothing is told where ranks are to lie on this machine.
void check_places(const Experiment& experiment, const Places& places) {
  for (const std::size_t place : places) {
    const int on_a_node = experiment.ranks_per_node(place);
    if (on_a_node == 0 || experiment.ranks(place) <= on_a_node) continue;
    throw UserError(fmt::format(
        "{}:{}: {} ranks on a node, of {}: the launcher is not told so; give a launcher that uses "
        "{{ranks_per_node}} or {{nodes}}, or do it in a job of several hosts",
        experiment.file, experiment.ranks_per_node_line, on_a_node, experiment.ranks(place)));
  }
}

}  // namespace

Places launched(const Experiment& experiment, const Selection& selection) {
  Places places = selected(experiment, selection);
  std::erase_if(places, [&](std::size_t place) {
    if (!experiment.engine(place).real) return true;
    const Scenario task = experiment.at(place);
    return !execution(task.engine).lacks(task).empty();
  });
  return places;
}

Settled settle(const Configuration& configuration, const GivenHosts& given) {
  const std::string types =
      given.scheduler == Scheduler::slurm ? printed_by({"srun", "--mpi=list"}) : "";
  Settled settled;
  for (const JobLauncher& candidate : candidates(given, own_mpi(), types)) {
    Configuration tried = configuration;
    tried.job_launcher = candidate;
    const std::string program = words(candidate.command).front();
    if (!in_path(tried, program)) {
      settled.trial.reason = fmt::format("'{}' cannot be started here", program);
    } else {
      settled.trial = try_ranks(tried, 2, 0, count_ranks);
    }
    if (settled.trial.kind == LaunchTrial::Kind::together) {
      settled.launcher = candidate;
      return settled;
    }
    if (settled.trial.kind == LaunchTrial::Kind::interrupted) return settled;
    settled.singletons |= settled.trial.kind == LaunchTrial::Kind::singletons;
    settled.failed.push_back(
        fmt::format("{}: {}", in_short(candidate.command), settled.trial.complaint()));
    if (settled.trial.kind == LaunchTrial::Kind::late) break;  // and so would the others be
  }
  return settled;
}

std::string advice_for(const Settled& settled, const GivenHosts& given) {
  if (settled.singletons && given.scheduler == Scheduler::slurm) {
    return "Slurm and the MPI library speak no PMI in common: name a launcher with 'launcher:', "
           "such as 'srun --mpi=pmi2 -n {ranks}' (MPICH) or '--mpi=pmix' (Open MPI), of those that "
           "'srun --mpi=list' shows, or 'mpiexec -n {ranks}'";
  }
  if (settled.singletons) {
    return fmt::format(
        "{} and the MPI library speak no PMI in common: name a launcher with 'launcher:'",
        given.name());
  }
  return "name a launcher with 'launcher:'";
}

std::string words_of(const Settled& settled, const GivenHosts& given) {
  std::string text = fmt::format("{} (of this job of {}; 2 ranks found each other after {:.1f} s",
                                 settled.launcher.command, given.name(), settled.trial.seconds);
  for (const std::string& failed : settled.failed) text += "; " + failed;
  return text + ')';
}

void settle_launcher(Experiment& experiment, const Selection& selection) {
  if (!experiment.launcher.empty()) return;
  const Places places = launched(experiment, selection);
  if (places.empty()) return;
  const GivenHosts given = given_hosts();
  if (given.scheduler == Scheduler::none) return check_places(experiment, places);
  catch_interrupts();
  const Settled settled = settle(experiment, given);
  if (settled.trial.kind == LaunchTrial::Kind::interrupted) return;
  if (settled.launcher.command.empty()) {
    throw UserError(fmt::format("{}: no launcher works in this job of {}: {}; {}", experiment.file,
                                given.name(), fmt::join(settled.failed, "; "),
                                advice_for(settled, given)));
  }
  experiment.job_launcher = settled.launcher;
  tell("launcher: {}\n", words_of(settled, given));
}

}  // namespace regroup
