// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

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

}  // namespace regroup
