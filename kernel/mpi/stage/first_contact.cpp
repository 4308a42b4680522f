// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/first_contact.hpp"

#include <algorithm>
#include <vector>

#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

void make_first_contact(Site& world) {
  constexpr int reach = 64;
  const int first = std::max(0, world.rank() - reach);
  const int last = std::min(world.size() - 1, world.rank() + reach);
  std::vector<MPI_Request> requests;
  for (int other = first; other <= last; ++other) {
    if (other == world.rank()) continue;
    MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
    MPI_Isend(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
  }
  for (MPI_Request& request : requests) world.waiter().wait(request);
}

}  // namespace regroup
