// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "jobs/config_node.hpp"
#include "kernel/catalog.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// The list of engines: what carries out the decisions of a balancer.
struct EngineEntry : Entry {
  std::string_view clock;  ///< that its times are read from
};
std::span<const EngineEntry> engines();

/// The scalar parameters of a configuration that may be lists, with their limits.
std::span<const OptionSpec> parameters();

/// A configuration, resolved: every run of the sweep, and how to launch it.
struct Experiment {
  std::string name;
  std::string file;
  std::vector<Scenario> runs;  ///< the cross product; repetitions outermost
  std::string launcher;        ///< command that starts {ranks} ranks; empty: the default
  int launcher_line = 0;       ///< where it stands in the file
  std::map<std::string, std::string> environment;  ///< set for the runs, besides one's own
};

/// Reads and checks the configuration `path`. Throws UserError with FILE:LINE for every mistake.
Experiment read_experiment(const std::string& path);

}  // namespace regroup
