// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/scatter.hpp"

#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {

ScatterMachine::ScatterMachine(const Comm& comm, Kind kind, int tag, GatherPlan plan, void* result,
                               int count, MPI_Datatype type, int root)
    : lane_(comm, kind, tag) {
  if (comm.rank() != root) {
    if (count_with_bytes(count, type) > 0) lane_.receive(result, count, type, root);
    return;
  }
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int part = count_with_bytes(plan.count_of(rank), plan.type);
    if (part == 0) continue;
    if (rank != root) {
      lane_.send(plan.place_of(rank), part, plan.type, rank);
    } else if (result != MPI_IN_PLACE) {
      copy_elements(plan.place_of(rank), part, plan.type, result, count, type);
    }
  }
}

namespace {

void check(const GatherPlan& plan, const void* result, int count, MPI_Datatype type, int root,
           const Comm& comm) {
  require_member(comm);
  require_rank("the root", root, comm);
  if (comm.rank() == root) {
    require_buffer(plan.data);
    plan.require_counts(comm.size());
    if (result == MPI_IN_PLACE) return;
  }
  require_buffer(result);
  require_elements(count, type);
}

}  // namespace

void scatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
             MPI_Datatype type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), data_count, nullptr, nullptr, data_type};
  check(plan, result, count, type, root, comm);
  run<ScatterMachine>(comm, Kind::scatter, tag, plan, result, count, type, root);
}

void scatterv(const void* data, const int* data_counts, const int* displacements,
              MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
              const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), 0, data_counts, displacements, data_type};
  check(plan, result, count, type, root, comm);
  run<ScatterMachine>(comm, Kind::scatter, tag, plan, result, count, type, root);
}

Request iscatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
                 MPI_Datatype type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), data_count, nullptr, nullptr, data_type};
  check(plan, result, count, type, root, comm);
  return start<ScatterMachine>(comm, Kind::scatter, tag, plan, result, count, type, root);
}

Request iscatterv(const void* data, const int* data_counts, const int* displacements,
                  MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
                  const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), 0, data_counts, displacements, data_type};
  check(plan, result, count, type, root, comm);
  return start<ScatterMachine>(comm, Kind::scatter, tag, plan, result, count, type, root);
}

}  // namespace regroup::range
