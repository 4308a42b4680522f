// SPDX-License-Identifier: BSD-3-Clause
//
// dup: MPI_Comm_dup, a copy of the parent with its attributes and hints. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm dup(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(parent.comm(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
