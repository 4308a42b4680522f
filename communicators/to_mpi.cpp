// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/to_mpi.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "communicators/members.hpp"
#include "communicators/mpi_group.hpp"
#include "communicators/range/error.hpp"

namespace regroup {

CommHandle to_mpi(const range::Comm& comm, int tag, CommunicatorCount& count) {
  if (comm.rank() < 0) throw std::invalid_argument("the caller is no member of the communicator");
  range::require_within("the tag", tag, 0, range::Parent::max_tag);
  std::vector<int> ranks;
  for (int member = 0; member < comm.size(); ++member) ranks.push_back(comm.parent_rank(member));
  const range::Parent& parent = comm.parent();
  const GroupHandle group = group_of(parent.comm(), Members::list(std::move(ranks)));
  MPI_Comm made = MPI_COMM_NULL;
  int code = MPI_SUCCESS;
  parent.waiter().blocking(
      [&] { code = MPI_Comm_create_group(parent.comm(), group.get(), tag, &made); });
  range::throw_on_error(code);
  return {made, count};
}

}  // namespace regroup
