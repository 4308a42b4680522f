// SPDX-License-Identifier: BSD-3-Clause
//
// Part of the program regroup-mpi: counts messages through MPI's profiling interface (MPI 4.1,
// section 15.2). Several ranks may share the process on a simulator; they are counted together.
#include <mpi.h>

static long long messages;
static long long bytes;

void regroup_profiled_messages(long long* sent, long long* in_bytes) {
  *sent = messages;
  *in_bytes = bytes;
}

static void count(int elements, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  ++messages;
  bytes += (long long)elements * size;
}

int MPI_Send(const void* data, int elements, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count(elements, type);
  return PMPI_Send(data, elements, type, to, tag, comm);
}

int MPI_Isend(const void* data, int elements, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count(elements, type);
  return PMPI_Isend(data, elements, type, to, tag, comm, request);
}
