// SPDX-License-Identifier: BSD-3-Clause
//
// A program like regroup with walkers, balancers, workloads and strategies of one's own. The CMake
// function regroup_add_program() builds it; what it lacks is add_rows(). Needs no MPI.
#pragma once

#include "jobs/catalog/catalog.hpp"
#include "jobs/commands/command_main.hpp"
#include "jobs/ranks/rank_main.hpp"

namespace regroup {

/// To be defined by the program: adds its rows to the lists, in the same way in the command and on
/// all ranks.
void add_rows(Catalog& catalog);

}  // namespace regroup
