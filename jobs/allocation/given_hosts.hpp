// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace regroup {

enum class Scheduler { none, slurm, pbs, flux };

/// The hosts that the scheduler of a job gives.
struct GivenHosts {
  Scheduler scheduler = Scheduler::none;  ///< none: no job, or its only host is ours
  int hosts = 0;                          ///< 0: not known, here and below
  int processors = 0;
  int least_on_a_host = 0;  ///< processors of the host that has fewest
  int ranks = 0;            ///< that were asked for
  std::string hostfile;     ///< names of hosts, one on a line; of PBS

  /// "Slurm", "PBS", "Flux".
  std::string name() const;
};

/// The value of an environment variable; empty where it is not set.
using Variables = std::function<std::string(const char* name)>;

/// Those of the job of a process on the host `here` with these variables.
GivenHosts given_hosts(const Variables& variables, const std::string& here);

/// Those of this process.
GivenHosts given_hosts();

}  // namespace regroup
