// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/range/comm.hpp"
#include "communicators/range/request.hpp"

namespace regroup::range {

// Collectives of range communicators: the meaning and the arguments of MPI's functions of the same
// names, for any datatype and operation; called by all members, and by nobody else. What rank order
// means for an operation that does not commute is kept to. MPI_IN_PLACE instead of `data` has the
// meaning that it has for MPI; where it has none, it is refused.
//
// `tag`, 0 … Parent::max_tag, tells apart what members have under way at the same time on
// communicators that overlap in two processes or more, and on one communicator (see Parent); the
// same on all members. One after another, collectives need no tags. For this, scatter and scatterv
// are of the same kind, and so are the two of alltoall and of reduce_scatter.
//
// The nonblocking forms make progress whenever somebody tests or waits for anything on the Parent.
// Every collective is a state machine over point-to-point messages; short ones allocate nothing
// once the Parent's memory has seen their like. What has no bytes sends no message and synchronises
// nobody. Misuse (a root outside, a negative count, no datatype) throws std::invalid_argument.

/// One k-nomial tree; long messages in pieces along a binary one (see Parent::pipelines).
void bcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request ibcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag = 0);

/// As bcast, the other way; below another root than 0, an operation that does not commute goes by
/// way of rank 0. `result` is significant at the root.
void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag = 0);
Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag = 0);

/// Two ranks exchange; more reduce to rank 0 and broadcast. All get the same bits.
void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag = 0);
Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag = 0);

/// Up and down a k-nomial tree: sums of subtrees up, sums of what is on the left down.
void scan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, const Comm& comm,
          int tag = 0);
Request iscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
              const Comm& comm, int tag = 0);

/// As scan, without the rank's own part; `result` of rank 0 is not touched.
void exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
            const Comm& comm, int tag = 0);
Request iexscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                const Comm& comm, int tag = 0);

/// Straight to the root, into place. `result…` is significant at the root.
void gather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
            MPI_Datatype result_type, int root, const Comm& comm, int tag = 0);
Request igather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                MPI_Datatype result_type, int root, const Comm& comm, int tag = 0);

/// As gather; counts and displacements (in elements of `result_type`) are read before the
/// nonblocking form returns.
void gatherv(const void* data, int count, MPI_Datatype type, void* result, const int* result_counts,
             const int* displacements, MPI_Datatype result_type, int root, const Comm& comm,
             int tag = 0);
Request igatherv(const void* data, int count, MPI_Datatype type, void* result,
                 const int* result_counts, const int* displacements, MPI_Datatype result_type,
                 int root, const Comm& comm, int tag = 0);

/// Two ranks exchange; more gather to rank 0 and broadcast.
void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag = 0);

/// As allgather, of parts that differ; everybody sends to everybody. Counts and displacements are
/// read before the nonblocking form returns, here and below.
void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag = 0);
Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag = 0);

/// Straight from the root. `data…` is significant at the root.
void scatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
             MPI_Datatype type, int root, const Comm& comm, int tag = 0);
Request iscatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
                 MPI_Datatype type, int root, const Comm& comm, int tag = 0);
void scatterv(const void* data, const int* data_counts, const int* displacements,
              MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
              const Comm& comm, int tag = 0);
Request iscatterv(const void* data, const int* data_counts, const int* displacements,
                  MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
                  const Comm& comm, int tag = 0);

/// Everybody sends to everybody; MPI_IN_PLACE copies the parts first.
void alltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
              MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                  MPI_Datatype result_type, const Comm& comm, int tag = 0);
void alltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
               void* result, const int* result_counts, const int* result_displacements,
               MPI_Datatype result_type, const Comm& comm, int tag = 0);
Request ialltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                   void* result, const int* result_counts, const int* result_displacements,
                   MPI_Datatype result_type, const Comm& comm, int tag = 0);

/// Reduced to rank 0, which sends everybody its part.
void reduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                    MPI_Op op, const Comm& comm, int tag = 0);
Request ireduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                        MPI_Op op, const Comm& comm, int tag = 0);
void reduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag = 0);
Request ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type,
                              MPI_Op op, const Comm& comm, int tag = 0);

/// Two ranks exchange empty messages; more send them up and down a k-nomial tree.
void barrier(const Comm& comm, int tag = 0);
Request ibarrier(const Comm& comm, int tag = 0);

}  // namespace regroup::range
