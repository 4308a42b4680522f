/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the two listings of "externally defined communicators", section 3.3, do, for each of the
 * communicators of its file: every process tells what it is a member of. Built with the header of
 * Regroup (-DNAMED) and with that of MPI, in C and in C++. */
#ifdef NAMED
#include <regroup/mpi.h>
#else
#include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The variables of MPI programs are often global. */
MPI_Comm MPI_COMM_RED = MPI_COMM_NULL;

static MPI_Comm of_world(void) { return MPI_COMM_WORLD; }

int main(int argc, char** argv) {
  MPI_Comm MPI_COMM_PINK = MPI_COMM_NULL;
  MPI_Comm MPI_COMM_BLACK = MPI_COMM_NULL;
  MPI_Comm MPI_COMM_INTER = MPI_COMM_NULL;
  MPI_Comm world[1];
  MPI_Comm* pointer = world;
  char told[256] = "";
  int all = 0;
  int own = 0;
  int rank = 0;
  int size = 0;
  int flag = 0;

  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  world[0] = of_world();
  MPI_Comm_size(world[0], &all);
  MPI_Comm_size(*pointer, &all);
  MPI_Comm_size((*pointer), &all);
  MPI_Comm_size(pointer[0], &all);

  if (MPI_Comm_rank(MPI_COMM_RED, &rank) == MPI_SUCCESS) {
    int sum = 0;
    MPI_Comm_size(MPI_COMM_RED, &size);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_RED);
    sprintf(told + strlen(told), " RED %d/%d sum %d", rank, size, sum);
  }
  if (MPI_Comm_rank(MPI_COMM_PINK, &rank) == MPI_SUCCESS) {
    MPI_Comm_size(MPI_COMM_PINK, &size);
    sprintf(told + strlen(told), " PINK %d/%d", rank, size);
  }
  if (MPI_Comm_size(MPI_COMM_BLACK, &size) == MPI_SUCCESS) {
    MPI_Comm_rank(MPI_COMM_BLACK, &rank);
    sprintf(told + strlen(told), " BLACK %d/%d", rank, size);
  }
  if (MPI_Comm_test_inter(MPI_COMM_INTER, &flag) == MPI_SUCCESS && flag) {
    int other = -1;
    MPI_Sendrecv(&own, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, MPI_COMM_INTER,
                 MPI_STATUS_IGNORE);
    sprintf(told + strlen(told), " INTER with %d", other);
  }
  /* A freed communicator is built again when it is named again. */
  if (MPI_COMM_RED != MPI_COMM_NULL) {
    MPI_Comm_free(&MPI_COMM_RED);
    if (MPI_Comm_size(MPI_COMM_RED, &size) == MPI_SUCCESS) {
      sprintf(told + strlen(told), " again %d", size);
    }
  }
  printf("%d of %d:%s\n", own, all, told);
  MPI_Finalize();
  return 0;
}
