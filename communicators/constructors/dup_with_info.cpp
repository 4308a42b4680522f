// SPDX-License-Identifier: BSD-3-Clause
//
// dup_with_info: MPI_Comm_dup_with_info, a copy of the parent with the hints given; here none.
// Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm dup_with_info(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup_with_info(parent.comm(), MPI_INFO_NULL, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
