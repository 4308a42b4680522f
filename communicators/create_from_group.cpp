// SPDX-License-Identifier: BSD-3-Clause
//
// create_from_group: MPI_Comm_create_from_group. The members are named by the process set
// mpi://WORLD of a session; no communicator takes part. Group-collective.
// Source: MPI 4.1, section 7.4.2.
#include "communicators/make.hpp"
#include "communicators/session.hpp"

namespace regroup {

template <>
GroupComm make<row("create_from_group")>(Parent& parent, const Members& members, int tag) {
  const GroupHandle group = session_group(parent, members);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_create_from_group(group.get(), string_tag(tag).c_str(), MPI_INFO_NULL,
                             MPI_ERRORS_ARE_FATAL, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup
