// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"

namespace regroup {

/// The hosts that Slurm gives to the current job. (No other scheduler has been tried.)
struct GivenHosts {
  int hosts = 0;  ///< 0: no job, or its only host is this one
  int processors = 0;
  int least_on_a_host = 0;  ///< processors of the host that has fewest
  int ranks = 0;            ///< that were asked for
};

/// The value of an environment variable; empty where it is not set.
using Variables = std::function<std::string(const char* name)>;

/// Those of a process on the host `here` with these variables.
GivenHosts given_hosts(const Variables& variables, const std::string& here);

/// Those of this process.
GivenHosts given_hosts();

/// What became of ranks that were launched to see whether they can be.
struct LaunchTrial {
  enum class Kind {
    together,    ///< they are one world
    singletons,  ///< each is alone: the launcher and MPI do not understand each other
    failed,
    late,
    interrupted
  };
  Kind kind = Kind::failed;
  double seconds = 0;
  std::string reason;     ///< of those that failed or were late
  std::string answer;     ///< of rank 0; of those that are together
  bool may_pass = false;  ///< of the others: a scheduler reports so

  /// Of those that are not together: "each of 2 ranks was alone", "failed: …".
  std::string complaint() const;
};

/// Launches `ranks` as `configuration` says, with so many on a node where that is not 0, and asks
/// them for `word` (kernel/places/probe.hpp). `tick` is called ten times a second.
LaunchTrial try_ranks(
    const Configuration& configuration, int ranks, int ranks_per_node, std::string_view word,
    const std::function<void()>& tick = [] {});

/// All that the command `words` prints; empty where it cannot be started.
std::string printed_by(const std::vector<std::string>& words);

/// Whether `line` is a scheduler's notice and no reason of any ending: "srun: warning: …".
bool is_notice(std::string_view line);

/// Whether a scheduler reports in `output` that it cannot start ranks now, but may later: "srun:
/// Job 5 step creation temporarily disabled, retrying (Requested nodes are busy)".
bool says_may_pass(const std::string& output);

/// The first line of `output` that says something and is no notice; else the first notice, if
/// `notices` may be reasons, as they often are of what never began.
std::string first_reason(const std::string& output, bool notices);

/// What trying launchers came to.
struct Settled {
  JobLauncher launcher;             ///< the first that works; without a command: none does
  LaunchTrial trial;                ///< of it, or of the last one
  std::vector<std::string> failed;  ///< "srun: each rank was alone", of all before
  bool singletons = false;          ///< in one of them
};

/// Tries the launchers that may start ranks on the hosts of `given`. Each takes about a second.
Settled settle(const Configuration& configuration, const GivenHosts& given);

/// What to do where none works; one line.
std::string advice_for(const Settled& settled);

/// The one that works, in words.
std::string words_of(const Settled& settled);

/// The indices of tasks that are launched on real processes.
Indices launched(const Experiment& experiment, const Selection& selection);

/// In a job of several hosts, gives an `experiment` that launches something and names no launcher
/// one that works in a trial, and says so. Throws UserError where none works, and, outside of such
/// jobs, where ranks are to be placed on nodes; TemporaryError where the scheduler cannot start
/// ranks now.
void settle_launcher(Experiment& experiment, const Selection& selection);

/// Launchers that may start ranks of this MPI library on the hosts of `given`, the likeliest first.
/// `types`: the output of 'srun --mpi=list'.
std::vector<JobLauncher> candidates(const GivenHosts& given, bool open_mpi,
                                    const std::string& types);

/// The --mpi of srun that an MPI library may speak, in `types`.
std::vector<std::string> likely_types(const std::string& types, bool open_mpi);

}  // namespace regroup
