/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Include this header instead of mpi.h in C or C++ programs whose communicators a file defines:
 *
 *   MPI_Comm RED = MPI_COMM_NULL;
 *   MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
 *   if (MPI_Comm_rank(RED, &rank) == MPI_SUCCESS) ...  // a member: RED is a communicator now
 *
 * If the argument of MPI_Comm_rank, MPI_Comm_size or MPI_Comm_test_inter is a variable that is
 * MPI_COMM_NULL, the call creates the communicator with the name of the variable. All members of
 * the group must make this call; other processes need not. MPI_Init and MPI_Init_thread read the
 * file that the environment variable REGROUP_COMMUNICATORS names; if it is not set, nothing is
 * defined. If the file is invalid, one rank prints the error and all processes exit with code 2.
 *
 * With mpi.h, the same source compiles, but no process is a member of any communicator. Source:
 * "externally defined communicators", section 3.3. Link with Regroup::named.
 */
#ifndef REGROUP_MPI_H
#define REGROUP_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Implementations of the macros below. `name`: source text of the argument. */
int regroup_mpi_init(int* argc, char*** argv);
int regroup_mpi_init_thread(int* argc, char*** argv, int required, int* provided);
int regroup_comm_rank(MPI_Comm* comm, int* rank, const char* name);
int regroup_comm_size(MPI_Comm* comm, int* size, const char* name);
int regroup_comm_test_inter(MPI_Comm* comm, int* flag, const char* name);

#ifdef __cplusplus
}

/* The call may assign to a variable; other arguments are values. */
inline MPI_Comm* regroup_address(MPI_Comm& comm) { return &comm; }
struct RegroupValue {
  MPI_Comm comm;
  operator MPI_Comm*() { return &comm; }
};
inline RegroupValue regroup_address(const MPI_Comm& comm) { return RegroupValue{comm}; }
#define REGROUP_ADDRESS(comm) (regroup_address(comm))

#else

/* MPI's own constants begin with a parenthesis. They are values, which have no address. */
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
