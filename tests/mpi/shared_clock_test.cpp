// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/shared_clock.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <limits>

#include "kernel/clocks/clock.hpp"
#include "kernel/clocks/sleep.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::shared_clock_test {
namespace {

/// Reads the monotonic clock of the host, which all ranks of these tests share.
double true_clock() { return read_clock(CLOCK_MONOTONIC); }

double extreme(double value, MPI_Op operation) {
  world().waiter.blocking(
      [&] { MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, MPI_COMM_WORLD); });
  return value;
}

constexpr double rounding = 1e-6;

/// Returns a clock as if ranks alternated between `hosts` hosts, a day apart, with drift `rate`.
HostClock pretended(int hosts, double rate) {
  const int host = world().rank % hosts;
  const double began = extreme(true_clock(), MPI_MIN);  // the same for all ranks of a host
  return {"host " + std::to_string(host), [=] {
            const double now = true_clock();
            return now + 86400.0 * host + rate * host * (now - began);
          }};
}

SharedClock made(HostClock own) { return {MPI_COMM_WORLD, world().waiter, std::move(own)}; }

void start(SharedClock& clock) {
  world().waiter.blocking([&] { clock.start_together(); });
}

/// Bounds of a moment on the true clock.
struct Between {
  double earliest = -std::numeric_limits<double>::infinity();
  double latest = std::numeric_limits<double>::infinity();
};

/// Returns the bounds of the start, as determined by rank 0.
Between start_by_rank_0(const SharedClock& clock) {
  Between start;
  for (int look = 0; look < 100; ++look) {
    const double before = true_clock();
    const double now = clock.now();
    start.earliest = std::max(start.earliest, before - now);
    start.latest = std::min(start.latest, true_clock() - now);
  }
  world().waiter.blocking([&] { MPI_Bcast(&start, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD); });
  return start;
}

/// A time of the shared clock, read between two reads of the true clock.
struct Told {
  Between moment;
  double time = 0;
};

Told told_by(const SharedClock& clock) {
  Told told;
  told.moment.earliest = true_clock();
  told.time = clock.now();
  told.moment.latest = true_clock();
  return told;
}

void expect_right(const Told& told, const Between& start, double error) {
  EXPECT_GE(told.time, told.moment.earliest - start.latest - error - rounding) << error;
  EXPECT_LE(told.time, told.moment.latest - start.earliest + error + rounding) << error;
}

TEST(SharedClock, StartsNobodyBeforeTheCommonStart) {
  SharedClock clock = made(own_clock());
  for (int round = 0; round < 3; ++round) {
    start(clock);
    EXPECT_GE(clock.now(), 0);
  }
}

// Each rank reads the shared clock between two reads of the host's clock. This yields an interval
// that contains the rank's start; the intervals of all ranks must have a point in common.
TEST(SharedClock, HasOneStartForAllProcessesOfAHost) {
  SharedClock clock = made(own_clock());
  start(clock);
  const Told told = told_by(clock);
  const double latest_earliest = extreme(told.moment.earliest - told.time, MPI_MAX);
  const double earliest_latest = extreme(told.moment.latest - told.time, MPI_MIN);
  EXPECT_LE(latest_earliest, earliest_latest + rounding);
}

TEST(SharedClock, StartsWhenEverybodyIsThere) {
  SharedClock clock = made(own_clock());
  const double came = true_clock();
  start(clock);
  const Told told = told_by(clock);
  EXPECT_LE(extreme(came, MPI_MAX), told.moment.latest - told.time + rounding);
}

TEST(SharedClock, HasNoErrorOnOneHost) {
  SharedClock clock = made(own_clock());
  start(clock);
  clock.look_again();
  EXPECT_FALSE(clock.has_other_hosts());
  EXPECT_EQ(clock.error(), 0);
  EXPECT_EQ(clock.settled_error(), 0);
  EXPECT_EQ(clock.settled(0.5), 0.5);
}

TEST(SharedClock, IsRightOnSeveralHostsWithinItsError) {
  for (const int hosts : {2, 3}) {
    SharedClock clock = made(pretended(hosts, 0));
    start(clock);
    const Between began = start_by_rank_0(clock);
    EXPECT_EQ(clock.has_other_hosts(), world().ranks > 1);
    EXPECT_EQ(clock.error() > 0, world().rank % hosts != 0);
    expect_right(told_by(clock), began, clock.error());
  }
}

TEST(SharedClock, IsTheSameForAllRanksOfAPretendedHost) {
  SharedClock clock = made(pretended(2, 0));
  start(clock);
  const Told told = told_by(clock);
  for (const int host : {0, 1}) {
    const bool here = world().rank % 2 == host;
    constexpr double none = std::numeric_limits<double>::infinity();
    const double latest_earliest =
        extreme(here ? told.moment.earliest - told.time : -none, MPI_MAX);
    const double earliest_latest = extreme(here ? told.moment.latest - told.time : none, MPI_MIN);
    EXPECT_LE(latest_earliest, earliest_latest + rounding);
  }
}

/// Ten times the drift of real clocks: large compared with the error of a read, but small within
/// the time of an exchange.
constexpr double drift = 1e-4;

TEST(SharedClock, SettlesWhatClocksDriftedApart) {
  SharedClock clock = made(pretended(3, drift));
  start(clock);
  const Between began = start_by_rank_0(clock);
  std::vector<Told> told;
  for (int time = 0; time < 5; ++time) {
    sleep_for(0.02);
    told.push_back(told_by(clock));
  }
  clock.look_again();
  double last = 0;
  for (Told& one : told) {
    one.time = clock.settled(one.time);
    EXPECT_GT(one.time, last);
    last = one.time;
    expect_right(one, began, clock.settled_error());
  }
}

TEST(SharedClock, TellsHowWrongDriftHadMadeIt) {
  SharedClock clock = made(pretended(3, drift));
  start(clock);
  const Between began = start_by_rank_0(clock);
  sleep_for(0.1);
  const Told told = told_by(clock);
  clock.look_again();
  expect_right(told, began, clock.error());
}

// Rank 0 decides, by its own clock, whether all ranks synchronize again.
TEST(SharedClock, IsLookedAtAgainBetweenSamplesThatGoOn) {
  SharedClock clock = made(pretended(2, drift));
  start(clock);
  Site site(MPI_COMM_WORLD, world().waiter);
  common_start(site, clock);
  const int looks = clock.looks();
  for (bool due = false; !due; due = extreme(clock.is_due() ? 1 : 0, MPI_MIN) > 0) sleep_for(0.02);
  const double started = common_start(site, clock);
  EXPECT_GE(clock.now(), started);
  EXPECT_EQ(clock.looks(), clock.has_other_hosts() ? looks + 1 : 0);
  const Between began = start_by_rank_0(clock);
  const Told told = told_by(clock);
  clock.look_again();
  expect_right(told, began, clock.error());
}

}  // namespace
}  // namespace regroup::shared_clock_test
