// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/info_handle.hpp"
#include "communicators/make.hpp"

namespace regroup {

/// MPI_Comm_split_type of `parent` by a split type that takes a word, and the one word that MPI
/// reserves, mpi_shared_memory: the ranks that can share memory, or nobody where the library does
/// not know the word. Source: MPI 4.1, section 7.4.2.
inline GroupComm split_by_word(Site& parent, int split_type) {
  constexpr MpiHint shared[] = {{"mpi_hw_resource_type", "mpi_shared_memory"}};
  const InfoHandle info(shared);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split_type(parent.comm(), split_type, parent.rank(), info.get(), &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup
