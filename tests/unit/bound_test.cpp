// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/bound.hpp"

#include <gmock/gmock.h>

#include <string>
#include <tuple>

#include "kernel/starting_groups.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::bound_test {
namespace {

using Speedup = Chosen<SpeedupEntry>;

Task problem(const std::string& workload, const Speedup& speedup) {
  Task run = virtual_run({{"ranks", "1024"}, {"workload", workload}});
  run.run().speedup = speedup;
  return run;
}

Speedup perfect() { return speedup("perfect"); }
Speedup amdahl(const char* serial) { return speedup("amdahl", {{"serial_fraction", serial}}); }
Speedup overhead() {
  return speedup("overhead", {{"overhead_ms", "0.1"}, {"overhead_per_log2_ms", "0.1"}});
}

double bound_of(const Task& run) { return bound_s(run, initial_items(run)); }

TEST(Bound, IsTheIdealWithPerfectSpeedup) {
  for (const char* workload : {"cyclic", "uniform", "pareto", "single", "blocks"}) {
    const Task run = problem(workload, perfect());
    EXPECT_NEAR(bound_of(run), ideal_s(run, initial_items(run)), 1e-12) << workload;
  }
}

TEST(Bound, GrowsWithTheSerialPart) {
  const auto cyclic = [](const Speedup& speedup) {
    return bound_of(problem("cyclic(multiplier=10 modulus=32)", speedup));
  };
  // Fractional groups of 5.5 ranks would reduce the bounds to 3.666 and 4.359.
  EXPECT_NEAR(cyclic(amdahl("0.01")), 3.6676, 5e-5);
  EXPECT_NEAR(cyclic(amdahl("0.05")), 4.3625, 5e-5);
  EXPECT_NEAR(cyclic(overhead()), 3.573, 5e-4);
}

TEST(Bound, OfOneChainIsThatOfAllRanksOrOfTheBestNumber) {
  EXPECT_NEAR(bound_of(problem("single", amdahl("0.01"))), 39.305, 5e-4);
  EXPECT_NEAR(bound_of(problem("single", amdahl("0.05"))), 182.525, 5e-4);
  EXPECT_NEAR(bound_of(problem("single", overhead())), 42.577, 5e-4);
  const ItemTime slower([](int ranks) { return ranks < 3 ? 1.0 / ranks : 2.0; }, 0, 1);
  EXPECT_DOUBLE_EQ(bound_s(Items{7}, slower, 8), 3.5);
}

TEST(Bound, OfEqualChainsIsWhatEachTakesWithItsShare) {
  EXPECT_NEAR(bound_of(problem("blocks", amdahl("0.01"))), 4.025, 5e-4);
  EXPECT_NEAR(bound_of(problem("blocks", amdahl("0.05"))), 6.125, 5e-4);
  EXPECT_NEAR(bound_of(problem("blocks", overhead())), 3.780, 5e-4);
}

TEST(Bound, GivesAChainAShareOfARankWhereThereAreTooFew) {
  const ItemTime time([](int) { return 1.0; }, 0, 1);
  EXPECT_DOUBLE_EQ(bound_s(Items{3, 3, 3, 3}, time, 2), 6);
  EXPECT_DOUBLE_EQ(bound_s(Items{10, 1, 1}, time, 2), 10);
}

/// Two ranks are no faster than one; three are twice as fast.
TEST(Bound, UsesTheHullWhereRatesAreNotConcave) {
  const ItemTime time([](int ranks) { return ranks < 3 ? 1.0 : 0.5; }, 0, 1);
  // Each of two chains has three of the five ranks for 3/4 of the time, and one rank otherwise.
  EXPECT_DOUBLE_EQ(bound_s(Items{7, 7}, time, 5), 4);
}

TEST(Bound, OfNothingIsNothing) {
  const ItemTime time([](int) { return 1.0; }, 0, 1);
  EXPECT_EQ(bound_s(Items{}, time, 2), 0);
  EXPECT_EQ(bound_s(Items{0, 0}, time, 2), 0);
}

TEST(Bound, IsReachedByNoBalancer) {
  for (const char* workload : {"cyclic", "uniform", "exponential", "pareto", "single", "blocks"}) {
    for (const Speedup& speedup : {perfect(), amdahl("0.05"), overhead()}) {
      for (const char* name : {"none", "collective", "asynchronous"}) {
        Task run = problem(workload, speedup);
        run.ranks = 96;
        choose_balancer(run, balancer(name));
        const double makespan = simulate(run).makespan_s();
        EXPECT_GE(makespan, bound_of(run) * (1 - 1e-7)) << workload << ' ' << name;
        EXPECT_GE(bound_of(run), ideal_s(run, initial_items(run)) * (1 - 1e-12)) << workload;
      }
    }
  }
}

}  // namespace
}  // namespace regroup::bound_test
