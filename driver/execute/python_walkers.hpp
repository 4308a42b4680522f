// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "library/task.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// The file of walkers in Python that the command line names by --walkers, or the variable
/// REGROUP_WALKERS; empty if there is none. The command reads it before all else, since its rows
/// belong to the catalog.
std::string walkers_file(int argc, char** argv);

/// Adds the walkers of `file`. A process of Python, which ends with this one, reads it and checks
/// the options of walkers. Throws UserError where the file is wrong, or there is no Python package.
void add_python_walkers(Catalog& catalog, const std::string& file);

/// The command of a rank that executes walkers of `file`, without its arguments; `wrapped`: with
/// the wrapper of MPICH's progress.
std::vector<std::string> python_rank(const std::string& file, bool wrapped);

}  // namespace regroup
