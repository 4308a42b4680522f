// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "kernel/groups/rank_set.hpp"

namespace regroup {

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

}  // namespace regroup
