// SPDX-License-Identifier: BSD-3-Clause
//
// The MPI communicator of a walker's group, for walkers that call a parallel library.
#pragma once

#include <mpi.h>

#include "regroup/walker.hpp"

namespace regroup {

/// A communicator of MPI with the members of `team`, in their order. Nobody else sends on it, so a
/// library may do with it as it likes, but not free it.
///
/// The first call for a team creates it, so all members make that call together; later calls return
/// the same one. It is freed when the group ends, after Walker::leaving().
/// Walker::joined() is the place for the first call.
///
/// Throws std::runtime_error where there is no MPI, as in the explorer or in a prediction.
/// Source: MPI 4.1, section 7.4.2 (MPI_Comm_create_group).
MPI_Comm communicator(Team& team);

}  // namespace regroup
