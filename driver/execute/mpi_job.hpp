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

/// Upper limit of the shared memory that UCX uses for each rank, in bytes.
inline constexpr double shared_memory_per_rank = 8.0 * 1024 * 1024;

/// The command that executes `task` on processes of MPI.
///
/// If ranks outnumber the cores of this machine, or a trial shows that /dev/shm or System V
/// segments cannot be used, the environment turns off MPICH's own shared-memory set-up and selects
/// what UCX uses: /dev/shm, otherwise System V, otherwise TCP. Variables that the user has set keep
/// their values, and nothing is set if ranks may start on other hosts. The program is that of the
/// configuration, or the one beside this command with -mpi appended to its name. The one with the
/// progress wrapper, in wrapped/ beside it, is used if the task requests it, or leaves the choice
/// and ranks outnumber cores.
MpiJob mpi_job(const Configuration& configuration, const Task& task, const TaskFiles& files);
/// The same for a program of ranks that gets other `arguments`.
MpiJob rank_job(const Configuration& configuration, const Task& task,
                const std::vector<std::string>& arguments);

/// Why `task` cannot be executed on processes of this MPI library; empty where it can.
std::string mpi_lacks(const Task& task);

/// Says that the wrapper should have been in place, of a task that was to choose its way of
/// waiting; empty where all is well.
std::string waiting_warning(const Task& task, const Outcome& outcome);

/// Throws UserError where the launcher of `configuration` cannot be started.
void check_launcher(const Configuration& configuration);

/// The words of the command `launcher`, with what `task` has for {ranks}, {nodes} and
/// {ranks_per_node}.
std::vector<std::string> launcher_words(const std::string& launcher, const Task& task);

/// The words of the launcher of `configuration`, for `task`; where it is Open MPI's, with the
/// environment that hand_on() adds.
std::vector<std::string> launcher_words(const Configuration& configuration, const Task& task);

/// Adds -x NAME for each variable of `environment` to Open MPI's launcher among the words of
/// `command`: it hands none on by itself.
void hand_on(const std::map<std::string, std::string>& environment,
             std::vector<std::string>& command);

/// Whether what `configuration` launches finds `program` in its PATH, or by its whole path.
bool in_path(const Configuration& configuration, const std::string& program);

/// The launcher that `configuration` names, or that of the job, or that of the MPI library.
std::string launcher_of(const Configuration& configuration);

}  // namespace regroup
