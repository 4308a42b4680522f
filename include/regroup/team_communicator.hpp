// SPDX-License-Identifier: BSD-3-Clause
//
// The MPI communicator of a walker's group, for walkers that call a parallel library.
#pragma once

#include <mpi.h>

#include "regroup/walker.hpp"

namespace regroup {

/// An MPI communicator of the members of `team`, in the same order. Nothing else uses it: a library
/// may use it freely but must not free it.
///
/// The first call for a team creates the communicator, so all members must make that call together;
/// later calls return the same one. It is freed when the group ends, after Walker::leaving(); in a
/// Pool, with the pool. Walker::joined() is the place for the first call.
///
/// Throws std::runtime_error if there is no MPI, as in the explorer or in a prediction.
/// Source: MPI 4.1, section 7.4.2 (MPI_Comm_create_group).
MPI_Comm communicator(Team& team);

}  // namespace regroup
