// SPDX-License-Identifier: BSD-3-Clause
//
// Part of the program regroup-mpi: counts messages, and calls that create communicators, through
// MPI's profiling interface (MPI 4.1, section 15.2). On a simulator, ranks that share a process are
// counted together.
#include <mpi.h>

static long long messages;
static long long bytes;
static long long constructors;

void regroup_profiled_messages(long long* sent, long long* in_bytes) {
  *sent = messages;
  *in_bytes = bytes;
}

long long regroup_profiled_constructors(void) { return constructors; }

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

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) {
  ++constructors;
  return PMPI_Comm_create(comm, group, made);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made) {
  ++constructors;
  return PMPI_Comm_create_group(comm, group, tag, made);
}

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* made) {
  ++constructors;
  return PMPI_Comm_split(comm, colour, key, made);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) {
  ++constructors;
  return PMPI_Comm_dup(comm, made);
}

int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peers, int other_leader, int tag,
                         MPI_Comm* made) {
  ++constructors;
  return PMPI_Intercomm_create(comm, leader, peers, other_leader, tag, made);
}

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) {
  ++constructors;
  return PMPI_Intercomm_merge(comm, high, made);
}

#if MPI_VERSION >= 4
int MPI_Comm_create_from_group(MPI_Group group, const char* tag, MPI_Info info,
                               MPI_Errhandler handler, MPI_Comm* made) {
  ++constructors;
  return PMPI_Comm_create_from_group(group, tag, info, handler, made);
}

int MPI_Intercomm_create_from_groups(MPI_Group group, int leader, MPI_Group others,
                                     int other_leader, const char* tag, MPI_Info info,
                                     MPI_Errhandler handler, MPI_Comm* made) {
  ++constructors;
  return PMPI_Intercomm_create_from_groups(group, leader, others, other_leader, tag, info, handler,
                                           made);
}
#endif
