// SPDX-License-Identifier: BSD-3-Clause
//
// idup_with_info: MPI_Comm_idup_with_info, a copy of the parent with the hints given, here none;
// nonblocking, here waited for at once. Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm idup_with_info(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup_with_info(parent.comm(), MPI_INFO_NULL, &comm, &request);
  // What MPICH gives where it fails for want of a context is not to be used, nor freed.
  if (parent.waiter().wait(request) != MPI_SUCCESS) return {};
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
