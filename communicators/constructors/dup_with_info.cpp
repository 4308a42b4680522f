// SPDX-License-Identifier: BSD-3-Clause
//
// dup_with_info: MPI_Comm_dup_with_info, a copy of the parent with the hints given; here
// copy_hints. Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/info_handle.hpp"

namespace regroup::constructor {

GroupComm dup_with_info(Site& parent, const Members&, int) {
  const InfoHandle hints(copy_hints);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup_with_info(parent.comm(), hints.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
