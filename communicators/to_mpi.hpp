// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/handles.hpp"
#include "communicators/range/comm.hpp"

namespace regroup {

/// The members of `comm`, in their order, as a communicator of MPI, for libraries that take nothing
/// else, windows and files. Group-collective: all members call it, and nobody else need know.
/// `tag`, 0 … range::Parent::max_tag, tells apart the calls of groups that overlap. It is counted
/// in `count`, which must outlive it (of a Site: communicators()).
///
/// Throws std::invalid_argument for a tag out of bounds and for a caller that is no member, and
/// range::MpiError for an error of MPI where the error handler of the parent returns.
/// Source: MPI 4.1, section 7.4.2 (MPI_Comm_create_group), after Dinan et al., EuroMPI 2011.
CommHandle to_mpi(const range::Comm& comm, int tag, CommunicatorCount& count);

}  // namespace regroup
