// SPDX-License-Identifier: BSD-3-Clause
//
// The engine simgrid: the program of the ranks, built against SimGrid's SMPI (preset `simgrid`).
// All ranks live in one process, and the clock is virtual.
#pragma once

#include <string>

#include "jobs/catalog/scenario.hpp"
#include "jobs/launch/mpi_job.hpp"

namespace regroup {

/// Why `scenario` cannot run on its engine; empty where it can.
std::string unsupported(const Scenario& scenario);

/// The command that executes `scenario` on SimGrid. Writes the simulated machine and the places of
/// the ranks on it into `directory`.
MpiJob simgrid_job(const Configuration& configuration, const Scenario& scenario,
                   const std::string& scenario_file, const std::string& outcome_file,
                   const std::string& directory);

/// Throws UserError where the program of the ranks is not built, or smpirun cannot be started.
void check_simgrid(const Configuration& configuration);

}  // namespace regroup
