// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {

/// What `regroup groups check` and `draw` are asked for.
struct AskedDefinitions {
  std::string file;
  int ranks = 0;      ///< of all processes; 0: as many as `hosts` have slots
  std::string hosts;  ///< see processors_of(); empty: members are given by rank
  bool json = false;
};

/// The tree of groups that a file defines, with their members, as a table or as JSON. Throws
/// UserError where the file is wrong, or does not fit the processes.
std::string groups_of_file(const AskedDefinitions& asked);

/// What `regroup groups make` is asked for: exactly one of group_size, hosts and results, or a part
/// of the machine.
struct AskedGroups {
  std::string name = "GROUP";
  int ranks = 0;
  int group_size = 0;
  std::string hosts;    ///< one group for the ranks of each
  std::string part;     ///< of the machine: node, package, l3
  std::string results;  ///< a directory: the groups that a run ended with
  std::string run;      ///< which run; may be missing where there is but one
};

/// A file of definitions, as YAML. Throws UserError where that cannot be.
std::string groups_file(const AskedGroups& asked);

/// The groups at the end of a run, from the lowest rank on. Throws UserError.
std::vector<RankSet> final_groups(const std::string& directory, const std::string& run);

/// … of `ranks` processes on this machine, each on the next core, that share a part of it: node,
/// package or l3. Throws UserError where there are not so many cores, or no such part.
std::vector<RankSet> groups_of_machine(const std::string& part, int ranks);

/// The processor of every rank, as a launcher fills hosts one after the other. `hosts`: a hostfile
/// ("pd-01", "pd-01:4" or "pd-01 slots=4" in a line) or a list ("pd-01:4,pd-02"). `ranks`: of
/// them so many; 0: as many as there are slots. Throws UserError where it is neither, or has too
/// few slots.
std::vector<std::string> processors_of(const std::string& hosts, int ranks);

}  // namespace regroup

namespace CLI {
class App;
}

namespace regroup {

/// Adds the subcommand `groups` to `app`. What it executes may set the exit code.
void add_groups_command(CLI::App& app, int& code);

}  // namespace regroup
