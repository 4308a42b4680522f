// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/stage/shared_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

/// The monotonic clock of the host, which all ranks of these tests share.
double host_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double extreme(double value, MPI_Op operation) {
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD); });
  return value;
}

constexpr double rounding = 1e-6;

TEST(SharedClock, StartsNobodyBeforeTheCommonStart) {
  SharedClock clock(MPI_COMM_WORLD, false);
  for (int round = 0; round < 3; ++round) {
    world().waiter.blocking([&] { clock.start_together(MPI_COMM_WORLD); });
    EXPECT_GE(clock.now(), 0);
  }
}

TEST(SharedClock, RunsOn) {
  SharedClock clock(MPI_COMM_WORLD, false);
  world().waiter.blocking([&] { clock.start_together(MPI_COMM_WORLD); });
  const double one = clock.now();
  const double other = clock.now();
  EXPECT_GE(other, one);
}

// Between two looks at the host's clock lies one at the shared clock: the start that this rank
// believes in lies in an interval, and the intervals of all ranks must have a point in common.
TEST(SharedClock, HasOneStartForAllProcessesOfAHost) {
  SharedClock clock(MPI_COMM_WORLD, false);
  world().waiter.blocking([&] { clock.start_together(MPI_COMM_WORLD); });
  const double before = host_clock();
  const double now = clock.now();
  const double after = host_clock();
  const double latest_earliest = extreme(before - now, MPI_MAX);
  const double earliest_latest = extreme(after - now, MPI_MIN);
  EXPECT_LE(latest_earliest, earliest_latest + rounding);
}

TEST(SharedClock, StartsWhenEverybodyIsThere) {
  SharedClock clock(MPI_COMM_WORLD, false);
  const double came = host_clock();
  world().waiter.blocking([&] { clock.start_together(MPI_COMM_WORLD); });
  const double now = clock.now();
  const double start_at_latest = host_clock() - now;
  EXPECT_LE(extreme(came, MPI_MAX), start_at_latest + rounding);
}

}  // namespace
}  // namespace regroup
