// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/config/reader.hpp"
#include "library/task.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// The command that executes a task on real processes, and the variables that it needs.
struct MpiJob {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
};

/// The files that the processes of a task read and write.
struct TaskFiles {
  std::string task;       ///< read by all ranks
  std::string outcome;    ///< written by rank 0
  std::string directory;  ///< for all other files
};

/// Upper limit of the shared memory that UCX uses for each rank, in bytes.
inline constexpr double shared_memory_per_rank = 8.0 * 1024 * 1024;

/// Returns the command that executes `task` on MPI processes.
///
/// If ranks outnumber the cores of this machine, or a trial shows that /dev/shm or System V
/// segments cannot be used, the environment turns off MPICH's own shared-memory set-up and selects
/// the transport of UCX: /dev/shm, otherwise System V, otherwise TCP. Variables that the user has
/// set keep their values, and nothing is set if ranks may start on other hosts. The program is that
/// of the configuration, or the one beside this command with -mpi appended to its name. Its variant
/// with the progress wrapper, in wrapped/ beside it, is used if the task requests it, or leaves the
/// choice and ranks outnumber cores.
MpiJob mpi_job(const Configuration& configuration, const Task& task, const TaskFiles& files);
/// Returns the command that starts the program of the ranks with other `arguments`.
MpiJob rank_job(const Configuration& configuration, const Task& task,
                const std::vector<std::string>& arguments);

/// Returns why `task` cannot be executed with this MPI library; empty if it can.
std::string mpi_lacks(const Task& task);

/// Returns a warning if a task with `waiting: auto` ran on crowded cores without the wrapper; empty
/// otherwise.
std::string waiting_warning(const Task& task, const Outcome& outcome);

/// Throws UserError if the launcher of `configuration` cannot be started.
void check_launcher(const Configuration& configuration);

/// Returns the words of the command `launcher`, with {ranks}, {nodes} and {ranks_per_node} replaced
/// by the values of `task`.
std::vector<std::string> launcher_words(const std::string& launcher, const Task& task);

/// Returns the words of the launcher of `configuration` for `task`, with the options that hand_on()
/// adds for Open MPI.
std::vector<std::string> launcher_words(const Configuration& configuration, const Task& task);

/// Adds -x NAME for each variable of `environment` to Open MPI's launcher among the words of
/// `command`: by itself it passes on none.
void hand_on(const std::map<std::string, std::string>& environment,
             std::vector<std::string>& command);

/// Returns whether processes launched with `configuration` find `program`, by PATH or as a path.
bool in_path(const Configuration& configuration, const std::string& program);

/// Returns the launcher of `configuration`, otherwise that of the job, otherwise the MPI library's.
std::string launcher_of(const Configuration& configuration);

}  // namespace regroup
