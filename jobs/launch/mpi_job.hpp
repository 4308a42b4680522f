// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "jobs/catalog/scenario.hpp"
#include "jobs/configuration/configuration.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

/// The command that executes a task on real processes, and what its environment needs.
struct MpiJob {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
};

/// What the processes of a task read and write.
struct TaskFiles {
  std::string task;       ///< what all of them read
  std::string outcome;    ///< what rank 0 writes
  std::string directory;  ///< for whatever else they need
};

/// The command that executes `task` on processes of MPI.
///
/// With the default launcher all ranks run on this machine. Where they outnumber its cores, the
/// environment makes MPICH start fast: no shared-memory set-up of MPICH's own, UCX over POSIX
/// shared memory (System V where /dev/shm is too small). Variables that the user has set stay as
/// they are. The program is the one with the progress wrapper where the task's way of waiting
/// asks for it, or leaves the choice and ranks outnumber cores. It stands in wrapped/ beside the
/// other one, which stands beside this command, with -mpi behind its name, or where the
/// configuration says.
MpiJob mpi_job(const Configuration& configuration, const Scenario& task, const TaskFiles& files);

/// Why `task` cannot be executed on processes of this MPI library; empty where it can.
std::string mpi_lacks(const Scenario& task);

/// What there is to say of a task that was to choose its way of waiting and came to `outcome`: that
/// the wrapper should have been in place. Empty where all is well.
std::string waiting_warning(const Scenario& task, const Outcome& outcome);

/// Throws UserError where the launcher of `configuration` cannot be started.
void check_launcher(const Configuration& configuration);

/// Where this program stands: "/usr/bin/regroup". The first call looks, later ones remember.
const std::filesystem::path& this_program();

/// The words of the command `launcher`, with what `task` has for {ranks}, {nodes} and
/// {ranks_per_node}.
std::vector<std::string> launcher_words(const std::string& launcher, const Scenario& task);

/// Whether what `configuration` launches finds `program` in its PATH, or by its whole path.
bool in_path(const Configuration& configuration, const std::string& program);

/// The launcher that is used where the configuration names none.
std::string default_launcher();
/// … that `configuration` names, or that one.
std::string launcher_of(const Configuration& configuration);

}  // namespace regroup
