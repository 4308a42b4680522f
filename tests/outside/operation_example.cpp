// SPDX-License-Identifier: BSD-3-Clause
//
// A collective operation of one's own: the root sends its data to each member. A program adds its
// row with `catalog.operations.push_back(flat_bcast_row)`.
#include <mpi.h>

#include <optional>
#include <regroup/bench.hpp>
#include <regroup/collective.hpp>
#include <vector>

namespace regroup {

static void flat_bcast(const CollectiveCall& call) {
  const auto [rank, size, root] = call.participants;
  constexpr int tag = 0;
  std::vector<MPI_Request> requests;
  if (rank != root) {
    MPI_Irecv(call.result, call.count, call.type, call.comm.translate(root), tag, call.comm.comm(),
              &requests.emplace_back());
  }
  for (int member = 0; rank == root && member < size; ++member) {
    if (member == root) continue;
    MPI_Isend(call.data, call.count, call.type, call.comm.translate(member), tag, call.comm.comm(),
              &requests.emplace_back());
  }
  for (MPI_Request& request : requests) call.waiter.wait_in_mpi(request);
}

static std::optional<double> data_of_root(const Participants& participants, int, int element) {
  const auto [rank, size, root] = participants;
  if (rank == root) return {};  // it receives nothing
  return collective_datum(root, 0, element);
}

extern const CollectiveOperation flat_bcast_row;
const CollectiveOperation flat_bcast_row{"flat_bcast",     "the root sends to each member",
                                         BufferParts::one, BufferParts::one,
                                         flat_bcast,       data_of_root};

}  // namespace regroup
