// SPDX-License-Identifier: BSD-3-Clause
//
// idup_with_info: MPI_Comm_idup_with_info, a copy of the parent with the hints given, here
// copy_hints; nonblocking, here waited for at once. Parent-collective. Source: MPI 4.1,
// section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/info_handle.hpp"

namespace regroup::constructor {

GroupComm idup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints(copy_hints);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup_with_info(parent.comm(), hints.get(), &comm, &request);
  // What MPICH gives where it fails for want of a context is not to be used, nor freed.
  if (parent.waiter().wait(request) != MPI_SUCCESS) return {};
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
