// SPDX-License-Identifier: BSD-3-Clause
//
// A program like `regroup` with your own walkers, balancers, workloads and strategies. The CMake
// function regroup_add_program() builds it from your definition of add_rows(). Needs no MPI.
#pragma once

#include "regroup/catalog.hpp"

namespace regroup {

/// To be defined by the program: adds its rows to the lists, in the same way in the command and on
/// all ranks.
void add_rows(Catalog& catalog);

/// main() of a command: its subcommands, over the standard catalog and added rows. Returns the exit
/// code. The program of its ranks must be beside it.
int command_main(int argc, char** argv, const AddRows& add_rows);

/// main() of its ranks: each executes one run or measurement, and rank 0 writes the outcome. Manual
/// start: mpiexec -n N regroup-mpi TASK_FILE OUTCOME_FILE
int rank_main(int argc, char** argv, const AddRows& add_rows);

}  // namespace regroup
