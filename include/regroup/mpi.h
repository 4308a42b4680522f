/* SPDX-License-Identifier: BSD-3-Clause
 *
 * To be included in place of mpi.h, in C or C++, by programs whose communicators a file defines:
 *
 *   MPI_Comm RED = MPI_COMM_NULL;
 *   MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
 *   if (MPI_Comm_rank(RED, &rank) == MPI_SUCCESS) ...  // a member: RED is a communicator now
 *
 * MPI_Comm_rank, MPI_Comm_size and MPI_Comm_test_inter build the communicator of their argument's
 * name, where the argument is a variable that is MPI_COMM_NULL: all members of the group have to
 * call, and nobody else needs to. MPI_Init and MPI_Init_thread read the file that the environment
 * variable REGROUP_COMMUNICATORS names; without the variable nothing is defined. Where something is
 * wrong with it, rank 0 says so and all processes end with exit code 2.
 *
 * With mpi.h itself the same source compiles, too, and nobody is a member of anything. After
 * "externally defined communicators", section 3.3. Link with Regroup::named.
 */
#ifndef REGROUP_MPI_H
#define REGROUP_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the names below stand for. `name`: the argument as it is written. */
int regroup_mpi_init(int* argc, char*** argv);
int regroup_mpi_init_thread(int* argc, char*** argv, int required, int* provided);
int regroup_comm_rank(MPI_Comm* comm, int* rank, const char* name);
int regroup_comm_size(MPI_Comm* comm, int* size, const char* name);
int regroup_comm_test_inter(MPI_Comm* comm, int* flag, const char* name);

#ifdef __cplusplus
}

/* A variable is written to; anything else is a value. */
inline MPI_Comm* regroup_address(MPI_Comm& comm) { return &comm; }
struct RegroupValue {
  MPI_Comm comm;
  operator MPI_Comm*() { return &comm; }
};
inline RegroupValue regroup_address(const MPI_Comm& comm) { return RegroupValue{comm}; }
#define REGROUP_ADDRESS(comm) (regroup_address(comm))

#else

/* MPI's own constants begin with a parenthesis, and are values, which have no address. */
#define REGROUP_ADDRESS(comm) \
  REGROUP_CHOOSE(REGROUP_COMMA comm, REGROUP_VALUE, REGROUP_VARIABLE, 0)(comm)
#define REGROUP_COMMA(...) 0, 0
#define REGROUP_CHOOSE(...) REGROUP_THIRD(__VA_ARGS__, 0, 0)
#define REGROUP_THIRD(a, b, c, ...) c
#define REGROUP_VALUE(comm) ((MPI_Comm[]){comm})
#define REGROUP_VARIABLE(comm) (&(comm))

#endif

#define MPI_Init(argc, argv) regroup_mpi_init(argc, argv)
#define MPI_Init_thread(argc, argv, required, provided) \
  regroup_mpi_init_thread(argc, argv, required, provided)
#define MPI_Comm_rank(comm, rank) regroup_comm_rank(REGROUP_ADDRESS(comm), rank, #comm)
#define MPI_Comm_size(comm, size) regroup_comm_size(REGROUP_ADDRESS(comm), size, #comm)
#define MPI_Comm_test_inter(comm, flag) regroup_comm_test_inter(REGROUP_ADDRESS(comm), flag, #comm)

#endif
