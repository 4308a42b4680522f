// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/config/reader.hpp"
#include "library/task.hpp"
#include "regroup/outcome.hpp"

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

/// What UCX takes of /dev/shm for each rank, with room to spare.
inline constexpr double shared_memory_per_rank = 8.0 * 1024 * 1024;

/// The command that executes `task` on processes of MPI.
///
/// With the default launcher all ranks run on this machine, or on the hosts of the job that we are
/// in, where nothing is set by itself. Open MPI's is told the names of `environment`, which it does
/// not hand on to other hosts by itself. On this machine: where they outnumber its cores, the
/// environment makes MPICH start fast: no shared-memory set-up of MPICH's own, UCX over POSIX
/// shared memory (System V where /dev/shm is too small). Variables that the user has set stay as
/// they are. The program is the one with the progress wrapper where the task's way of waiting
/// asks for it, or leaves the choice and ranks outnumber cores. It stands in wrapped/ beside the
/// other one, which stands beside this command, with -mpi behind its name, or where the
/// configuration says.
MpiJob mpi_job(const Configuration& configuration, const Task& task, const TaskFiles& files);
/// The same for a program of ranks that gets other `arguments`.
MpiJob rank_job(const Configuration& configuration, const Task& task,
                const std::vector<std::string>& arguments);

/// Why `task` cannot be executed on processes of this MPI library; empty where it can.
std::string mpi_lacks(const Task& task);

/// What there is to say of a task that was to choose its way of waiting and came to `outcome`: that
/// the wrapper should have been in place. Empty where all is well.
std::string waiting_warning(const Task& task, const Outcome& outcome);

/// Throws UserError where the launcher of `configuration` cannot be started.
void check_launcher(const Configuration& configuration);

/// The words of the command `launcher`, with what `task` has for {ranks}, {nodes} and
/// {ranks_per_node}.
std::vector<std::string> launcher_words(const std::string& launcher, const Task& task);

/// The words of the launcher of `configuration`, for `task`; with -x for each name of `environment`
/// where it is Open MPI's.
std::vector<std::string> launcher_words(const Configuration& configuration, const Task& task);

/// Has Open MPI's launcher, where one is among the words of `command`, hand on the variables of
/// `environment`, which it does not by itself.
void hand_on(const std::map<std::string, std::string>& environment,
             std::vector<std::string>& command);

/// Whether what `configuration` launches finds `program` in its PATH, or by its whole path.
bool in_path(const Configuration& configuration, const std::string& program);

/// The launcher of the MPI library, for ranks on this machine.
std::string default_launcher();
/// … that `configuration` names, or that of the job, or that one.
std::string launcher_of(const Configuration& configuration);

}  // namespace regroup
