// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/chains/team.hpp"

#include "communicators/range/collectives.hpp"

namespace regroup {

void GroupTeam::combine(std::span<std::int64_t> values, Operation operation) {
  const MPI_Op op = operation == Operation::sum   ? MPI_SUM
                    : operation == Operation::min ? MPI_MIN
                                                  : MPI_MAX;
  own_.assign(values.begin(), values.end());
  const int count = static_cast<int>(values.size());
  if (const range::Comm* range = group_.as_range()) {
    range::allreduce(own_.data(), values.data(), count, MPI_INT64_T, op, *range);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(own_.data(), values.data(), count, MPI_INT64_T, op, group_.comm(), &request);
  waiter_.wait(request);
}

void GroupTeam::broadcast_to_others(std::span<std::byte> bytes, int root) {
  const int count = static_cast<int>(bytes.size());
  if (const range::Comm* range = group_.as_range()) {
    range::bcast(bytes.data(), count, MPI_BYTE, root, *range);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(bytes.data(), count, MPI_BYTE, root, group_.comm(), &request);
  waiter_.wait(request);
}

}  // namespace regroup
