// SPDX-License-Identifier: BSD-3-Clause
//
// A program like regroup with walkers, balancers, workloads and strategies of one's own. The CMake
// function regroup_add_program() builds it; what it lacks is add_rows(). Needs no MPI.
#pragma once

#include "regroup/catalog.hpp"

namespace regroup {

/// To be defined by the program: adds its rows to the lists, in the same way in the command and on
/// all ranks.
void add_rows(Catalog& catalog);

/// All that a command does from main() on: its subcommands, over the standard catalog and the rows
/// that `add_rows` adds to it. Answers the exit code; what is wrong it has said. The program of its
/// ranks must stand beside it (jobs/launch/mpi_job.hpp).
int command_main(int argc, char** argv, AddRows add_rows);

/// All that the program of a command's ranks does from main() on: every rank executes one run, or
/// one measurement, and rank 0 writes what came out. `add_rows`: that of the command. The command
/// launches it; by hand: mpiexec -n N regroup-mpi TASK_FILE OUTCOME_FILE
int rank_main(int argc, char** argv, AddRows add_rows);

}  // namespace regroup
