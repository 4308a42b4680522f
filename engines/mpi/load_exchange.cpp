// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/load_exchange.hpp"

#include <algorithm>

#include "engines/mpi/tags.hpp"

namespace regroup {

std::vector<Group> exchange_loads(std::span<const Group> groups, int leader, const Chain& chain,
                                  bool walkers, const World& world) {
  const std::size_t count = groups.size();
  const std::size_t me = static_cast<std::size_t>(
      std::ranges::lower_bound(groups, leader, {}, &Group::leader) - groups.begin());

  // Data of group (me + k) mod count begins at k · width; each round doubles the known groups.
  const std::size_t width = walkers ? 2 : 1;
  std::vector<std::int64_t> known(count * width);
  known[0] = chain.items_left;
  if (walkers) known[1] = chain.walker;
  for (std::size_t have = 1; have < count; have *= 2) {
    const int number = static_cast<int>(std::min(have, count - have) * width);
    const int to = world.process(groups[(me + count - have) % count].leader());
    const int from = world.process(groups[(me + have) % count].leader());
    MPI_Request requests[2];
    MPI_Irecv(&known[have * width], number, MPI_INT64_T, from, world.tag(tag_loads), world.comm(),
              &requests[0]);
    MPI_Isend(known.data(), number, MPI_INT64_T, to, world.tag(tag_loads), world.comm(),
              &requests[1]);
    for (MPI_Request& request : requests) world.waiter().wait(request);
  }

  std::vector<Group> loads(groups.begin(), groups.end());
  for (std::size_t k = 0; k < count; ++k) {
    Chain& load = loads[(me + k) % count].chain;
    load.items_left = known[k * width];
    if (walkers) load.walker = static_cast<int>(known[k * width + 1]);
  }
  return loads;
}

}  // namespace regroup
