// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/common_start.hpp"

#include <algorithm>

#include "communicators/range/collectives.hpp"
#include "kernel/items/sleep.hpp"

namespace regroup {
namespace {

/// All have come.
void look_again_where_due(Site& world, SharedClock& clock) {
  if (!clock.has_other_hosts()) return;
  int due = world.rank() == 0 && clock.is_due() ? 1 : 0;
  bcast(&due, 1, MPI_INT, 0, world.all());
  if (due == 0) return;
  clock.look_again();
  barrier(world.all());
}

}  // namespace

double common_start(Site& world, SharedClock& clock) {
  // Long enough for the broadcast to reach everybody where many ranks share a core.
  const double ahead = 0.001 + 0.00005 * std::min(world.size(), 1000);
  barrier(world.all());
  look_again_where_due(world, clock);
  double start = clock.now() + ahead;
  bcast(&start, 1, MPI_DOUBLE, 0, world.all());
  if (const double left = start - clock.now(); left > 0) sleep_for(left);
  return start;
}

}  // namespace regroup
