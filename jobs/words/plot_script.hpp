// SPDX-License-Identifier: BSD-3-Clause
//
// The scripts of plots/, which lie beside this program or are installed with it.
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// The path of plots/NAME of the tree that this program was built in, or of the installation.
/// Throws UserError, with `instead` behind what it says, where there is none.
std::string plot_script(const std::string& name, const std::string& instead = "");

/// Runs a program, whose path is the first of `words`, on our standard streams. Answers its exit
/// code; 1 where a signal ended it. Throws UserError where it cannot be started.
int run_script(std::vector<std::string> words);

}  // namespace regroup
