// SPDX-License-Identifier: BSD-3-Clause
//
// How near batch comes to the same list scheduled by an oracle that knows everything at once and
// pays for nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>

#include "library/resolve.hpp"
#include "regroup/workload.hpp"

namespace regroup {
namespace {

Scenario thousand_tasks(std::uint64_t seed) {
  const Catalog& catalog = standard_catalog();
  Scenario run;
  run.engine = "virtual";
  run.ranks = 64;
  run.seed = seed;
  run.walkers_in_all = 1000;
  run.wants = {"uniform", {{"least_wanted_ranks", "1"}, {"most_wanted_ranks", "16"}}};
  run.workload = with_fallbacks(*find_entry(catalog.workloads, "exponential"));
  run.costs = with_fallbacks(*find_entry(catalog.costs, "cluster"));
  run.balancer = with_fallbacks(*find_entry(catalog.balancers, "batch"));
  run.communicator = "create_group";
  return run;
}

/// List scheduling by first fit: whenever ranks become free, the first task of the list that fits
/// begins, and again. Answers when the last one ends, in seconds.
double first_fit_s(const Scenario& scenario) {
  const RunInput run = resolve(scenario);
  std::list<WaitingWalker> waiting(run.queue.walkers().begin(), run.queue.walkers().end());
  std::multimap<double, int> ends;  // of tasks under way, with their ranks
  int free = run.ranks;
  double now = 0;
  while (!waiting.empty() || !ends.empty()) {
    for (auto task = waiting.begin(); task != waiting.end();) {
      if (task->wants > free) {
        ++task;
        continue;
      }
      free -= task->wants;
      const double takes_s = static_cast<double>(task->items) * run.item_time.seconds(task->wants);
      ends.emplace(now + takes_s, task->wants);
      task = waiting.erase(task);
    }
    now = ends.begin()->first;
    free += ends.begin()->second;
    ends.erase(ends.begin());
  }
  return now;
}

/// The part of the ranks' time until `end_s` in which they execute items.
double utilisation(const Scenario& scenario, double end_s) {
  const RunInput run = resolve(scenario);
  double busy_s = 0;
  for (const WaitingWalker& task : run.queue.walkers()) {
    busy_s += static_cast<double>(task.items) * run.item_time.seconds(task.wants) * task.wants;
  }
  return busy_s / (end_s * run.ranks);
}

TEST(Batch, UsesTheRanksAsTheOracleDoes) {
  for (const char* speedup : {"perfect", "amdahl"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Scenario run = thousand_tasks(seed);
      run.speedup = with_fallbacks(*find_entry(standard_catalog().speedups, speedup));
      const double by_batch = utilisation(run, simulate(run).makespan_s());
      const double by_oracle = utilisation(run, first_fit_s(run));
      EXPECT_GT(by_oracle, 0.9);
      EXPECT_GT(by_batch, 0.95 * by_oracle) << speedup << ", seed " << seed;
      fmt::print("{}, seed {}: batch {:.4f}, oracle {:.4f}\n", speedup, seed, by_batch, by_oracle);
    }
  }
}

TEST(Batch, GivesEveryTaskTheRanksThatItWantsAndInterruptsNobodyWhoWorks) {
  const Scenario run = thousand_tasks(1);
  const auto resolved = resolve(run);
  const Outcome outcome = simulate(run);
  EXPECT_EQ(first_violation(run, outcome.lives), std::nullopt);
  std::size_t tasks = 0;
  for (const GroupLife& life : outcome.lives) {
    EXPECT_EQ(life.items_after, 0) << text_of(life.ranks) << " was interrupted";
    if (life.walker == Chain::none) continue;
    EXPECT_EQ(life.ranks.size(), resolved.queue.find(life.walker)->wants);
    ++tasks;
  }
  EXPECT_EQ(tasks, 1000u);
}

}  // namespace
}  // namespace regroup
