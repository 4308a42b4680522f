// SPDX-License-Identifier: BSD-3-Clause
//
// split_type_hw_unguided: MPI_Comm_split_type with MPI_COMM_TYPE_HW_UNGUIDED, the ranks in the next
// smaller part of the machine; nobody where there is none. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm split_type_hw_unguided(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), MPI_COMM_TYPE_HW_UNGUIDED, parent.rank(), MPI_INFO_NULL,
                      &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
