// SPDX-License-Identifier: BSD-3-Clause
//
// split_type_hw_guided: MPI_Comm_split_type with MPI_COMM_TYPE_HW_GUIDED and the one word that
// MPI reserves, mpi_shared_memory: the ranks that can share memory, or nobody where the library
// does not know the word. Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"
#include "communicators/info_handle.hpp"

namespace regroup::constructor {

GroupComm split_type_hw_guided(Site& parent, const Members&, int) {
  constexpr MpiHint shared[] = {{"mpi_hw_resource_type", "mpi_shared_memory"}};
  const InfoHandle info(shared);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), MPI_COMM_TYPE_HW_GUIDED, parent.rank(), info.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
