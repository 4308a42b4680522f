// SPDX-License-Identifier: BSD-3-Clause
//
// split_type_shared: MPI_Comm_split_type with MPI_COMM_TYPE_SHARED, the ranks that can share
// memory. The members are whom the machine puts together. Parent-collective. Source: MPI 4.1,
// section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm split_type_shared(Site& parent, const Members&, int) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), MPI_COMM_TYPE_SHARED, parent.rank(), MPI_INFO_NULL, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
