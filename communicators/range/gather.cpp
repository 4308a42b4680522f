// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/gather.hpp"

#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {

void* GatherPlan::place_of(int rank) const {
  const long long start =
      displacements == nullptr ? static_cast<long long>(rank) * count : displacements[rank];
  return element(data, start, type);
}

void GatherPlan::require_counts(int ranks) const {
  require_elements(count, type);
  for (int rank = 0; rank < ranks; ++rank) require_count(count_of(rank));
}

GatherMachine::GatherMachine(const Comm& comm, Kind kind, int tag, const void* data, int count,
                             MPI_Datatype type, GatherPlan plan, int root)
    : lane_(comm, kind, tag) {
  if (comm.rank() != root) {
    if (count_with_bytes(count, type) > 0) lane_.send(data, count, type, root);
    return;
  }
  if (message_bytes(1, plan.type) == 0) return;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int part = plan.count_of(rank);
    if (rank != root && part > 0) lane_.receive(plan.place_of(rank), part, plan.type, rank);
  }
  // While the others' parts come in.
  const int own = plan.count_of(root);
  if (own > 0 && data != MPI_IN_PLACE) {
    copy_elements(data, count, type, plan.place_of(root), own, plan.type);
  }
}

namespace {

void check(const void* data, int count, MPI_Datatype type, const void* result, int root,
           const Comm& comm) {
  require_member(comm);
  require_rank("the root", root, comm);
  if (comm.rank() == root) require_buffer(result);
  if (comm.rank() == root && data == MPI_IN_PLACE) return;
  require_buffer(data);
  require_elements(count, type);
}

GatherPlan even_plan(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                     MPI_Datatype result_type, int root, const Comm& comm) {
  check(data, count, type, result, root, comm);
  if (comm.rank() == root) require_elements(result_count, result_type);
  return {result, result_count, nullptr, nullptr, result_type};
}

GatherPlan uneven_plan(const void* data, int count, MPI_Datatype type, void* result,
                       const int* result_counts, const int* displacements, MPI_Datatype result_type,
                       int root, const Comm& comm) {
  check(data, count, type, result, root, comm);
  const GatherPlan plan{result, 0, result_counts, displacements, result_type};
  if (comm.rank() == root) plan.require_counts(comm.size());
  return plan;
}

}  // namespace

void gather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
            MPI_Datatype result_type, int root, const Comm& comm, int tag) {
  const GatherPlan plan =
      even_plan(data, count, type, result, result_count, result_type, root, comm);
  run<GatherMachine>(comm, Kind::gather, tag, data, count, type, plan, root);
}

Request igather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                MPI_Datatype result_type, int root, const Comm& comm, int tag) {
  const GatherPlan plan =
      even_plan(data, count, type, result, result_count, result_type, root, comm);
  return start<GatherMachine>(comm, Kind::gather, tag, data, count, type, plan, root);
}

void gatherv(const void* data, int count, MPI_Datatype type, void* result, const int* result_counts,
             const int* displacements, MPI_Datatype result_type, int root, const Comm& comm,
             int tag) {
  const GatherPlan plan =
      uneven_plan(data, count, type, result, result_counts, displacements, result_type, root, comm);
  run<GatherMachine>(comm, Kind::gatherv, tag, data, count, type, plan, root);
}

Request igatherv(const void* data, int count, MPI_Datatype type, void* result,
                 const int* result_counts, const int* displacements, MPI_Datatype result_type,
                 int root, const Comm& comm, int tag) {
  const GatherPlan plan =
      uneven_plan(data, count, type, result, result_counts, displacements, result_type, root, comm);
  return start<GatherMachine>(comm, Kind::gatherv, tag, data, count, type, plan, root);
}

}  // namespace regroup::range
