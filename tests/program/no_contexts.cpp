// SPDX-License-Identifier: BSD-3-Clause
//
// A library to be preloaded: lets an MPI program begin with no context left, so that it cannot
// create a communicator. For MPICH, which has 2,048.
#include <mpi.h>

extern "C" int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (MPI_Comm taken = MPI_COMM_NULL; MPI_Comm_dup(MPI_COMM_SELF, &taken) == MPI_SUCCESS;) {
  }
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  return code;
}
