// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// Returns the file of Python walkers given by --walkers or the variable REGROUP_WALKERS; empty if
/// there is none. The command reads it first, since its rows belong to the catalog.
std::string walkers_file(int argc, char** argv);

/// Adds the walkers of `file`. A Python process, which ends with this one, reads it and checks
/// walker options. Throws UserError if the file is wrong or the Python package is missing.
void add_python_walkers(Catalog& catalog, const std::string& file);

/// Returns the command of a rank that executes walkers of `file`, without its arguments. `wrapped`:
/// with the wrapper of MPICH's progress.
std::vector<std::string> python_rank(const std::string& file, bool wrapped);

}  // namespace regroup
