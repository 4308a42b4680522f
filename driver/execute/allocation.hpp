// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/experiment.hpp"
#include "driver/execute/selection.hpp"

namespace regroup {

/// The hosts that Slurm allocates to the current job. (No other scheduler has been tried.)
struct GivenHosts {
  int hosts = 0;  ///< 0 without a job, or if its only host is this one
  int processors = 0;
  int least_on_a_host = 0;  ///< processors of the host with the fewest
  int ranks = 0;            ///< number of ranks that the job requested
};

/// Returns the value of an environment variable; empty if it is not set.
using Variables = std::function<std::string(const char* name)>;

/// Returns the hosts that `variables`, the environment of a process on the host `here`, describe.
GivenHosts given_hosts(const Variables& variables, const std::string& here);

/// Returns the hosts of the current job, for this process.
GivenHosts given_hosts();

/// The result of launching ranks to find out whether they connect.
struct LaunchTrial {
  enum class Kind {
    together,    ///< all ranks are in one MPI_COMM_WORLD
    singletons,  ///< each rank is alone: launcher and MPI library share no PMI version
    failed,
    late,
    interrupted
  };
  Kind kind = Kind::failed;
  double seconds = 0;
  std::string reason;     ///< cause of `failed` or `late`
  std::string answer;     ///< of rank 0, if the ranks are together
  bool may_pass = false;  ///< whether a scheduler reports a temporary failure

  /// Describes a trial whose ranks are not together: "each rank was alone", "failed: …".
  std::string complaint() const;
};

/// Launches `ranks` ranks as `configuration` says, `ranks_per_node` on each node unless it is 0,
/// and asks them for `word` (kernel/places/probe.hpp). Calls `tick` ten times a second.
LaunchTrial try_ranks(
    const Configuration& configuration, int ranks, int ranks_per_node, std::string_view word,
    const std::function<void()>& tick = [] {});

/// Returns all that the command `words` prints; empty if it cannot be started.
std::string printed_by(const std::vector<std::string>& words);

/// Returns whether `line` is a scheduler's notice, not the cause of an end: "srun: warning: …".
bool is_notice(std::string_view line);

/// Returns whether a scheduler reports in `output` that it cannot start ranks now, but may later:
/// "srun: Job 5 step creation temporarily disabled, retrying (Requested nodes are busy)".
bool says_may_pass(const std::string& output);

/// Returns the first line of `output` that is neither blank nor a notice; otherwise, if `notices`,
/// the first notice, which is often the cause if nothing was started.
std::string first_reason(const std::string& output, bool notices);

/// The result of trying launchers.
struct Settled {
  JobLauncher launcher;             ///< the first that works; its command is empty if none does
  LaunchTrial trial;                ///< of this launcher, or the last trial if none works
  std::vector<std::string> failed;  ///< "srun: each rank was alone", for each launcher that failed
  bool singletons = false;          ///< whether each rank was alone in one of the trials
};

/// Tries the launchers that may start ranks on the hosts of `given`. Each takes about a second.
Settled settle(const Configuration& configuration, const GivenHosts& given);

/// Returns one line of advice for a `settled` without a working launcher.
std::string advice_for(const Settled& settled);

/// Describes the launcher that works, and those that failed before.
std::string words_of(const Settled& settled);

/// Returns the indices of selected tasks that are launched on real processes.
Indices launched(const Experiment& experiment, const Selection& selection);

/// If the job has several hosts, and `experiment` launches tasks but names no launcher, sets a
/// launcher that works in a trial, and prints it. Throws UserError if none works or if, outside of
/// such jobs, ranks are to be placed on nodes; TemporaryError if the scheduler cannot start ranks
/// now.
void settle_launcher(Experiment& experiment, const Selection& selection);

/// Returns launchers that may start ranks of this MPI library on the hosts of `given`, the most
/// likely first. `types`: the output of 'srun --mpi=list'.
std::vector<JobLauncher> candidates(const GivenHosts& given, bool open_mpi,
                                    const std::string& types);

/// Returns the values of srun's --mpi in `types` that the MPI library may support, best first.
std::vector<std::string> likely_types(const std::string& types, bool open_mpi);

}  // namespace regroup
