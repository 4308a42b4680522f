// SPDX-License-Identifier: BSD-3-Clause
//
// comm_create: MPI_Comm_create over the whole parent; each rank names the group that it joins, and
// groups of one call are disjoint. Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/mpi_group.hpp"

namespace regroup::constructor {

GroupComm comm_create(Site& parent, const Members& members, int) {
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create(parent.comm(), group.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
