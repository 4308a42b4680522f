// SPDX-License-Identifier: BSD-3-Clause
//
// create_group: MPI_Comm_create_group, the call that MPI 3 made of the paper's idea.
// Group-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"
#include "communicators/mpi_group.hpp"

namespace regroup::constructor {

GroupComm create_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const GroupHandle group = group_of(parent.comm(), members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_group(parent.comm(), group.get(), tag, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
