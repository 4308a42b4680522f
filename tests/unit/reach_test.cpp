// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "library/resolve.hpp"
#include "regroup/workload.hpp"
#include "tests/tasks.hpp"

namespace regroup::reach_test {
namespace {

// Compares batch with list scheduling by an oracle that knows all items in advance and has no
// costs.

Task thousand_walkers(std::uint64_t seed) {
  return virtual_run({{"ranks", "64"},
                      {"seed", std::to_string(seed)},
                      {"walkers_in_all", "1000"},
                      {"wants", "uniform(least_wanted_ranks=1 most_wanted_ranks=16)"},
                      {"workload", "exponential"},
                      {"costs", "cluster"},
                      {"balancer", "batch"},
                      {"communicator", "create_group"}});
}

/// Returns the makespan in seconds of list scheduling by first fit: whenever ranks become free,
/// each waiting walker that fits starts, in the order of the list.
double first_fit_s(const Task& task) {
  const RunInput run = resolve(task);
  std::list<WaitingWalker> waiting(run.queue.walkers().begin(), run.queue.walkers().end());
  std::multimap<double, int> ends;  // of running walkers, with their ranks
  int free = run.ranks;
  double now = 0;
  while (!waiting.empty() || !ends.empty()) {
    for (auto walker = waiting.begin(); walker != waiting.end();) {
      if (walker->wants > free) {
        ++walker;
        continue;
      }
      free -= walker->wants;
      const double time_s =
          static_cast<double>(walker->items) * run.item_time.seconds(walker->wants);
      ends.emplace(now + time_s, walker->wants);
      walker = waiting.erase(walker);
    }
    now = ends.begin()->first;
    free += ends.begin()->second;
    ends.erase(ends.begin());
  }
  return now;
}

/// Returns the fraction of the ranks' time until `end_s` in which they execute items.
double utilisation(const Task& task, double end_s) {
  const RunInput run = resolve(task);
  double busy_s = 0;
  for (const WaitingWalker& walker : run.queue.walkers()) {
    busy_s +=
        static_cast<double>(walker.items) * run.item_time.seconds(walker.wants) * walker.wants;
  }
  return busy_s / (end_s * run.ranks);
}

TEST(Batch, UsesTheRanksAsTheOracleDoes) {
  for (const char* speedup : {"perfect", "amdahl"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Task run = with(thousand_walkers(seed), {{"speedup", speedup}});
      const double by_batch = utilisation(run, simulate(run).makespan_s());
      const double by_oracle = utilisation(run, first_fit_s(run));
      EXPECT_GT(by_oracle, 0.9);
      EXPECT_GT(by_batch, 0.95 * by_oracle) << speedup << ", seed " << seed;
      fmt::print("{}, seed {}: batch {:.4f}, oracle {:.4f}\n", speedup, seed, by_batch, by_oracle);
    }
  }
}

TEST(Batch, GivesEveryWalkerTheRanksThatItWantsAndInterruptsNoneThatWorks) {
  const Task run = thousand_walkers(1);
  const auto resolved = resolve(run);
  const Outcome outcome = simulate(run);
  EXPECT_EQ(first_violation(run, outcome), std::nullopt);
  std::size_t walkers = 0;
  for (const GroupLife& life : outcome.lives) {
    EXPECT_EQ(life.items_after, 0) << text_of(life.ranks) << " was interrupted";
    if (life.walker == Chain::none) continue;
    EXPECT_EQ(life.ranks.size(), resolved.queue.find(life.walker)->wants);
    ++walkers;
  }
  EXPECT_EQ(walkers, 1000u);
}

// Ratios of makespans to the bound in virtual time, which is exact: 1,024 ranks, G = 4, T = 100 ms,
// mean 140 items, costs of a present-day cluster, create_group.

using Workload = Chosen<WorkloadEntry>;
using Speedup = Chosen<SpeedupEntry>;

std::vector<Workload> workloads() {
  return {workload("cyclic"),
          workload("constant"),
          workload("single", {{"long_group", "first"}}),
          workload("single", {{"long_group", "last"}}),
          workload("blocks", {{"long_side", "left"}}),
          workload("blocks", {{"long_side", "right"}}),
          workload("uniform"),
          workload("exponential"),
          workload("lognormal"),
          workload("pareto")};
}

std::vector<Speedup> speedups() {
  return {speedup("perfect"), speedup("amdahl", {{"serial_fraction", "0.01"}}),
          speedup("amdahl", {{"serial_fraction", "0.05"}}),
          speedup("overhead", {{"overhead_ms", "0.1"}, {"overhead_per_log2_ms", "0.1"}})};
}

Task run_of(const Chosen<BalancerEntry>& balancer, const Workload& workload) {
  Task run = virtual_run({{"ranks", "1024"}, {"costs", "cluster"}});
  run.run().workload = workload;
  choose_balancer(run, balancer);
  return run;
}

double of_bound(const Task& run) {
  return simulate(run).makespan_s() / bound_s(run, initial_items(run));
}

TEST(Reach, TheGoldenRatiosOfThePapersBalancers) {
  const auto ratio = [](const Chosen<BalancerEntry>& by) {
    return of_bound(run_of(by, workloads()[0]));
  };
  EXPECT_NEAR(ratio(balancer("none")), 2.00, 0.005);
  EXPECT_NEAR(ratio(balancer("collective")), 1.75, 0.005);
  EXPECT_NEAR(ratio(balancer("asynchronous")), 1.007, 0.0005);
}

TEST(Reach, OfTwoSidedWithPerfectSpeedup) {
  for (const Workload& workload : workloads()) {
    const Task run = run_of(balancer("two_sided"), workload);
    EXPECT_LE(of_bound(run), workload->name == "blocks" ? 1.20 : 1.08) << to_json(run);
  }
}

TEST(Reach, OfSpreadWithPerfectSpeedupWhetherLoadsAreKnownOrNot) {
  for (const char* loads : {"known", "unknown"}) {
    for (const Workload& workload : workloads()) {
      const Task run = run_of(balancer("spread", {{"loads", loads}}), workload);
      EXPECT_LE(of_bound(run), 1.02) << to_json(run);
    }
  }
}

TEST(Reach, OfSpreadWithEverySpeedup) {
  std::vector<double> ratios;
  for (const Speedup& speedup : speedups()) {
    for (const Workload& workload : workloads()) {
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        Task run = run_of(balancer("spread"), workload);
        run.run().speedup = speedup;
        run.seed = seed;
        EXPECT_LE(ratios.emplace_back(of_bound(run)), 1.06) << to_json(run);
      }
    }
  }
  EXPECT_EQ(ratios.size(), 120u);
  EXPECT_GE(std::ranges::count_if(ratios, [](double ratio) { return ratio <= 1.03; }), 119);
}

TEST(Reach, OfSpreadAtThePapersLargestSize) {
  Task run = run_of(balancer("spread"), workloads()[0]);
  run.ranks = 8192;
  EXPECT_LE(of_bound(run), 1.01);
}

// Spread takes up the next waiting walker as long as there is one.
TEST(Reach, OfSpreadWithMoreWalkersThanGroups) {
  for (const int walkers : {2, 5}) {
    for (const Speedup& speedup : speedups()) {
      for (const Workload& workload : workloads()) {
        Task run = run_of(balancer("spread"), workload);
        run.ranks = 256;
        run.run().speedup = speedup;
        run.run().walkers_per_group = walkers;
        // Groups of 4 are no longer the best size if speed-up is not perfect.
        const std::string serial =
            speedup->name == "amdahl" ? speedup.options.text("serial_fraction") : "0";
        const double reach = serial == "0.05" ? 1.25 : serial == "0.01" ? 1.04 : 1.025;
        EXPECT_LE(of_bound(run), reach) << to_json(run);
      }
    }
  }
}

// Spread skips a regrouping that costs more than it saves.
TEST(Reach, OfSpreadIsNeverMuchWorseThanTheBetterOfNoneAndAsynchronous) {
  for (const double item_ms : {0.1, 1.0, 10.0, 100.0}) {
    for (const char* costs : {"cluster", "bluegene_p"}) {
      for (const Workload& workload : workloads()) {
        const auto makespan = [&](const Chosen<BalancerEntry>& by) {
          Task run = run_of(by, workload);
          run.run().item_ms = item_ms;
          run.run().costs = cost_model(costs);
          return simulate(run).makespan_s();
        };
        const double better =
            std::min(makespan(balancer("none")), makespan(balancer("asynchronous")));
        EXPECT_LE(makespan(balancer("spread")), 1.02 * better)
            << item_ms << " ms, " << costs << ", " << workload->name;
      }
    }
  }
}

}  // namespace
}  // namespace regroup::reach_test
