// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/catalog/catalog.hpp"

namespace regroup {

/// All that a command does from main() on: its subcommands, over the standard catalog and the rows
/// that `add_rows` adds to it. Answers the exit code; what is wrong it has said. The program of its
/// ranks must stand beside it (jobs/launch/mpi_job.hpp).
int command_main(int argc, char** argv, AddRows add_rows);

}  // namespace regroup
