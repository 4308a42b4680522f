// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {

/// What `regroup groups check` is asked for.
struct AskedDefinitions {
  std::string file;
  int ranks = 0;      ///< of all processes; 0: as many as `hosts` have slots
  std::string hosts;  ///< see processors_of(); empty: members are given by rank
  bool json = false;
};

/// The tree of groups that a file defines, with their members, as a table or as JSON. Throws
/// UserError where the file is wrong, or does not fit the processes.
std::string groups_of_file(const AskedDefinitions& asked);

/// What `regroup groups make` is asked for: exactly one of group_size, hosts and results.
struct AskedGroups {
  std::string name = "GROUP";
  int ranks = 0;
  int group_size = 0;
  std::string hosts;    ///< one group for the ranks of each
  std::string results;  ///< a directory: the groups that a run ended with
  std::string run;      ///< which run; may be missing where there is but one
};

/// A file of definitions, as YAML. Throws UserError where that cannot be.
std::string groups_file(const AskedGroups& asked);

/// The groups at the end of a run, from the lowest rank on. Throws UserError.
std::vector<RankSet> final_groups(const std::string& directory, const std::string& run);

/// The processor of every rank, as a launcher fills hosts one after the other. `hosts`: a hostfile
/// ("pd-01", "pd-01:4" or "pd-01 slots=4" in a line) or a list ("pd-01:4,pd-02"). `ranks`: of
/// them so many; 0: as many as there are slots. Throws UserError where it is neither, or has too
/// few slots.
std::vector<std::string> processors_of(const std::string& hosts, int ranks);

}  // namespace regroup
