// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/catalog/sweep_order.hpp"

namespace regroup {

/// How the scheduler of the job that we are in starts ranks on its hosts.
struct JobLauncher {
  std::string command;     ///< starts {ranks} ranks; empty: there is none
  std::string placed;      ///< … with {ranks_per_node} of them on each of {nodes}
  std::string overcommit;  ///< the option that both need where ranks outnumber processors
  int processors = 0;      ///< of the job; 0: not known
  int least_on_a_host = 0;
  std::string hostfile;  ///< what {hostfile} stands for, which is another one in each job
};

/// What every configuration says, whatever it is that is executed.
struct Configuration {
  std::string name;  ///< of the experiment
  std::string file;
  std::string text;                  ///< what was in the file, with `changes` in it
  std::vector<std::string> changes;  ///< "KEY=VALUE", of --set
  std::string launcher;              ///< command that starts {ranks} ranks; empty: the default
  int launcher_line = 0;             ///< where it stands in the file
  int ranks_per_node_line = 0;       ///< likewise; 0: it is not there
  JobLauncher job_launcher;          ///< the default in a job of several hosts (settle.hpp)
  std::string program;               ///< of the ranks, as they see it; empty: our own
  double start_timeout_s = 300;      ///< in which the ranks of a task must have started together
  double end_timeout_s = 30;         ///< in which they must have ended when their outcome is there
  std::map<std::string, std::string> environment;  ///< set for the processes, besides one's own
  std::string events = "auto";                     ///< that runs write (event_detail.hpp)
  std::string sweep_order{as_written};             ///< (sweep_order.hpp)
};

}  // namespace regroup
