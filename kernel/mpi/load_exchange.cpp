// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/load_exchange.hpp"

#include <algorithm>

#include "kernel/mpi/stage/tags.hpp"

namespace regroup {

std::vector<Group> exchange_loads(std::span<const Group> groups, int leader,
                                  std::int64_t items_left, MPI_Comm world, const Waiter& waiter) {
  const std::size_t count = groups.size();
  const std::size_t me = static_cast<std::size_t>(
      std::ranges::lower_bound(groups, leader, {}, &Group::leader) - groups.begin());

  // known[k] is the load of group (me + k) mod count; every round doubles what is known.
  std::vector<std::int64_t> known(count);
  known[0] = items_left;
  for (std::size_t have = 1; have < count; have *= 2) {
    const int number = static_cast<int>(std::min(have, count - have));
    const int to = groups[(me + count - have) % count].leader();
    const int from = groups[(me + have) % count].leader();
    MPI_Request requests[2];
    MPI_Irecv(&known[have], number, MPI_INT64_T, from, tag_loads, world, &requests[0]);
    MPI_Isend(known.data(), number, MPI_INT64_T, to, tag_loads, world, &requests[1]);
    for (MPI_Request& request : requests) waiter.wait(request);
  }

  std::vector<Group> loads(groups.begin(), groups.end());
  for (std::size_t k = 0; k < count; ++k) loads[(me + k) % count].chain.items_left = known[k];
  return loads;
}

}  // namespace regroup
