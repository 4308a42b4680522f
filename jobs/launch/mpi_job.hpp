// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/configuration/configuration.hpp"

namespace regroup {

/// The command that executes a task on real processes, and what its environment needs.
struct MpiJob {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
};

/// `task_file` is what the `ranks` processes read, `outcome_file` what rank 0 writes; `waiting` is
/// how they are to wait.
///
/// With the default launcher all ranks run on this machine. Where they outnumber its cores, the
/// environment makes MPICH start fast: no shared-memory set-up of MPICH's own, UCX over POSIX
/// shared memory (System V where /dev/shm is too small). Variables that the user has set stay as
/// they are. The program is the one with the progress wrapper where `waiting` asks for it, or
/// leaves the choice and ranks outnumber cores.
MpiJob mpi_job(const Configuration& configuration, int ranks, const std::string& waiting,
               const std::string& task_file, const std::string& outcome_file);

/// Why processes cannot wait as `waiting` asks; empty where they can.
std::string unsupported_waiting(const std::string& waiting);

/// What there is to say of a run that was to choose its way of waiting and `waited` so on `cores`
/// cores: that the wrapper should have been in place. Empty where all is well.
std::string waiting_warning(const std::string& waiting, const std::string& waited, int ranks,
                            int cores);

/// Throws UserError where the launcher of `configuration` cannot be started.
void check_launcher(const Configuration& configuration);

/// The directory that this program stands in.
std::string program_directory();

/// The words of the command `launcher`, with `ranks` for {ranks}.
std::vector<std::string> launcher_words(const std::string& launcher, int ranks);

/// Whether what `configuration` launches finds `program` in its PATH, or by its whole path.
bool in_path(const Configuration& configuration, const std::string& program);

/// The launcher that is used where the configuration names none.
std::string default_launcher();

}  // namespace regroup
