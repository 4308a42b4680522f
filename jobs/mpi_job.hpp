// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/config.hpp"

namespace regroup {

/// The command that executes `scenario` on real processes, and what its environment needs.
struct MpiJob {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
};

/// `scenario_file` is what the processes read, `outcome_file` what rank 0 writes.
///
/// With the default launcher all ranks run on this machine. Where they outnumber its cores, the
/// environment makes MPICH start fast and wait politely: no shared-memory set-up of MPICH's own,
/// UCX over POSIX shared memory (System V where /dev/shm is too small), and the preloaded progress
/// wrapper. Variables that the user has set stay as they are.
MpiJob mpi_job(const Experiment& experiment, const Scenario& scenario,
               const std::string& scenario_file, const std::string& outcome_file);

/// Throws UserError where the launcher of `experiment` cannot be started.
void check_launcher(const Experiment& experiment);

/// The directory that this program stands in.
std::string program_directory();

/// The words of the command `launcher`, with `ranks` for {ranks}.
std::vector<std::string> launcher_words(const std::string& launcher, int ranks);

/// Whether the runs of `experiment` find `program` in their PATH, or by its whole path.
bool in_path(const Experiment& experiment, const std::string& program);

/// The launcher that is used where the configuration names none.
std::string default_launcher();

}  // namespace regroup
