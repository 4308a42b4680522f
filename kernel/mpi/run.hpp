// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "kernel/outcome.hpp"
#include "kernel/scenario.hpp"

namespace regroup {

/// Executes `scenario` on the processes of `world`. Collective over `world`, on which nothing else
/// may be sent meanwhile. Rank 0 gets the whole outcome, other ranks what they know of it.
/// Throws std::invalid_argument where `world` has not the number of ranks that the scenario wants.
Outcome run(const Scenario& scenario, MPI_Comm world);

}  // namespace regroup
