// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/common_start.hpp"

#include <algorithm>

#include "communicators/range/collectives.hpp"
#include "kernel/items/sleep.hpp"

namespace regroup {

double common_start(Site& world, const SharedClock& clock) {
  // Long enough for the broadcast to reach everybody where many ranks share a core.
  const double ahead = 0.001 + 0.00005 * std::min(world.size(), 1000);
  barrier(world.all());
  double start = clock.now() + ahead;
  bcast(&start, 1, MPI_DOUBLE, 0, world.all());
  if (const double left = start - clock.now(); left > 0) sleep_for(left);
  return start;
}

}  // namespace regroup
