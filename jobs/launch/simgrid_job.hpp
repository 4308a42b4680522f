// SPDX-License-Identifier: BSD-3-Clause
//
// The engine simgrid: the program of the ranks, built against SimGrid's SMPI (preset `simgrid`).
// All ranks live in one process, and the clock is virtual.
#pragma once

#include <string>

#include "jobs/catalog/scenario.hpp"
#include "jobs/launch/mpi_job.hpp"

namespace regroup {

/// Why `task` cannot be executed on SimGrid; empty where it can.
std::string simgrid_lacks(const Scenario& task);

/// The command that executes `task` on SimGrid. Writes the simulated machine and the places of the
/// ranks on it.
MpiJob simgrid_job(const Configuration& configuration, const Scenario& task,
                   const TaskFiles& files);

/// Throws UserError where the program of the ranks is not built, or smpirun cannot be started.
void check_simgrid(const Configuration& configuration);

}  // namespace regroup
