/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halo exchange between processes that are arranged by a file: Laplace's equation on a square grid,
 * by Jacobi's method. The program knows rows and columns of processes by name only; the file
 * defines their processes, and whether there are two clusters. After the examples of "externally
 * defined communicators", section 4 (Figures 2 to 5).
 *
 *   REGROUP_COMMUNICATORS=grid.yaml          mpiexec -n 12 halo
 *   REGROUP_COMMUNICATORS=two_clusters.yaml  mpiexec -n 12 halo 5
 *
 * With an argument n, clusters exchange halos only in every n-th step (partially synchronous). */
#include <math.h>
#include <regroup/mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4 }; /* cells of a process in each direction; around them are the halos */

static double cells[SIDE + 2][SIDE + 2];

static MPI_Comm HORIZONTAL = MPI_COMM_NULL; /* from left to right */
static MPI_Comm VERTICAL = MPI_COMM_NULL;   /* from top to bottom */
static MPI_Comm CLUSTER = MPI_COMM_NULL;    /* the own cluster, row by row, if there are two */
static MPI_Comm BRIDGE = MPI_COMM_NULL;     /* between the clusters */

/* A neighbour; its rank is MPI_PROC_NULL at the edge of the grid. */
struct Neighbour {
  MPI_Comm comm;
  int rank;
};

struct Neighbour left, right, upper, lower;
static int bridged; /* neighbour beyond the bridge: 1: left, 2: right, 0: none */

static struct Neighbour at(MPI_Comm comm, int place, int size) {
  struct Neighbour neighbour = {comm, place >= 0 && place < size ? place : MPI_PROC_NULL};
  return neighbour;
}

/* Sets the neighbour beyond the bridge if the row of this process continues there. */
static void cross_bridge(int column, int columns) {
  int rank = 0, own = 0, other = 0, flag = 0, row = 0;
  if (MPI_Comm_test_inter(BRIDGE, &flag) != MPI_SUCCESS || !flag) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &own);
  MPI_Comm_rank(VERTICAL, &row);
  MPI_Comm_rank(CLUSTER, &rank);
  if (rank == 0) {
    MPI_Sendrecv(&own, 1, MPI_INT, 0, 0, &other, 1, MPI_INT, 0, 0, BRIDGE, MPI_STATUS_IGNORE);
  }
  MPI_Bcast(&own, 1, MPI_INT, 0, CLUSTER);
  MPI_Bcast(&other, 1, MPI_INT, 0, CLUSTER);
  if (own < other && column == columns - 1) {
    right = at(BRIDGE, row * columns, row * columns + 1);
    bridged = 2;
  } else if (own > other && column == 0) {
    left = at(BRIDGE, row * columns + columns - 1, row * columns + columns);
    bridged = 1;
  }
}

static void arrange(void) {
  int column = 0, columns = 0, row = 0, rows = 0;
  if (MPI_Comm_rank(HORIZONTAL, &column) != MPI_SUCCESS ||
      MPI_Comm_rank(VERTICAL, &row) != MPI_SUCCESS) {
    fprintf(stderr,
            "halo: REGROUP_COMMUNICATORS has to name a file with HORIZONTAL and VERTICAL\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Comm_size(HORIZONTAL, &columns);
  MPI_Comm_size(VERTICAL, &rows);
  left = at(HORIZONTAL, column - 1, columns);
  right = at(HORIZONTAL, column + 1, columns);
  upper = at(VERTICAL, row - 1, rows);
  lower = at(VERTICAL, row + 1, rows);
  cross_bridge(column, columns);
}

/* Copy a column of cells, from the top, to and from the buffer of a message. */
static void take_column(int column, double* out) {
  for (int i = 0; i < SIDE; ++i) out[i] = cells[i + 1][column];
}
static void put_column(struct Neighbour from, int column, const double* in) {
  if (from.rank == MPI_PROC_NULL) return;
  for (int i = 0; i < SIDE; ++i) cells[i + 1][column] = in[i];
}

static void swap(struct Neighbour with, double* out, double* in, MPI_Request* requests) {
  MPI_Irecv(in, SIDE, MPI_DOUBLE, with.rank, 0, with.comm, &requests[0]);
  MPI_Isend(out, SIDE, MPI_DOUBLE, with.rank, 0, with.comm, &requests[1]);
}

/* Exchanges halos with all neighbours. Returns the number of messages sent over the bridge. */
static int exchange_halos(int over_bridge) {
  double out[2][SIDE], in[2][SIDE];
  const struct Neighbour nobody = {MPI_COMM_WORLD, MPI_PROC_NULL};
  const struct Neighbour now_left = bridged == 1 && !over_bridge ? nobody : left;
  const struct Neighbour now_right = bridged == 2 && !over_bridge ? nobody : right;
  MPI_Request requests[8];
  MPI_Status statuses[8];
  take_column(1, out[0]);
  take_column(SIDE, out[1]);
  swap(upper, &cells[1][1], &cells[0][1], &requests[0]);
  swap(lower, &cells[SIDE][1], &cells[SIDE + 1][1], &requests[2]);
  swap(now_left, out[0], in[0], &requests[4]);
  swap(now_right, out[1], in[1], &requests[6]);
  MPI_Waitall(8, requests, statuses);
  put_column(now_left, 0, in[0]);
  put_column(now_right, SIDE + 1, in[1]);
  return bridged && over_bridge;
}

/* Executes one step of Jacobi's method. Returns the largest change. */
static double relax(void) {
  double next[SIDE + 2][SIDE + 2], change = 0;
  for (int i = 1; i <= SIDE; ++i) {
    for (int j = 1; j <= SIDE; ++j) {
      next[i][j] = (cells[i - 1][j] + cells[i + 1][j] + cells[i][j - 1] + cells[i][j + 1]) / 4;
      change = fmax(change, fabs(next[i][j] - cells[i][j]));
    }
  }
  for (int i = 1; i <= SIDE; ++i) {
    for (int j = 1; j <= SIDE; ++j) cells[i][j] = next[i][j];
  }
  return change;
}

int main(int argc, char** argv) {
  int rank = 0, steps = 0, messages = 0, all_messages = 0;
  double change = 1, sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int every = argc > 1 ? atoi(argv[1]) : 1;
  if (every < 1) MPI_Abort(MPI_COMM_WORLD, 2);
  arrange();
  if (upper.rank == MPI_PROC_NULL) {
    for (int j = 0; j < SIDE + 2; ++j) cells[0][j] = 1; /* hot above, cold elsewhere */
  }
  /* Convergence is checked only in steps that exchange all halos. */
  while (change > 1e-9) {
    const int over_bridge = steps % every == 0;
    messages += exchange_halos(over_bridge);
    const double own = relax();
    ++steps;
    if (over_bridge) {
      MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
  }
  for (int i = 1; i <= SIDE; ++i) {
    for (int j = 1; j <= SIDE; ++j) sum += cells[i][j] * (i + 2 * j);
  }
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&messages, &all_messages, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    printf("steps %d, messages between clusters %d, weighted sum %.6f\n", steps, all_messages, all);
  }
  MPI_Finalize();
  return 0;
}
