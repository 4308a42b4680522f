// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

namespace regroup {

/// What every configuration says, whatever it is that is executed.
struct Configuration {
  std::string name;  ///< of the experiment
  std::string file;
  std::string launcher;          ///< command that starts {ranks} ranks; empty: the default
  int launcher_line = 0;         ///< where it stands in the file
  std::string program;           ///< of the ranks, as they see it; empty: our own
  double start_timeout_s = 300;  ///< in which the ranks of a task must have started together
  double end_timeout_s = 30;     ///< in which they must have ended when their outcome is there
  std::map<std::string, std::string> environment;  ///< set for the processes, besides one's own
};

}  // namespace regroup
