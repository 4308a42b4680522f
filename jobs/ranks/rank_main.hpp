// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/catalog/catalog.hpp"

namespace regroup {

/// All that the program of a command's ranks does from main() on: every rank executes one run, or
/// one measurement, and rank 0 writes what came out. `add_rows`: that of the command. The command
/// launches it; by hand: mpiexec -n N regroup-mpi TASK_FILE OUTCOME_FILE
int rank_main(int argc, char** argv, AddRows add_rows);

}  // namespace regroup
