// SPDX-License-Identifier: BSD-3-Clause
//
// Invariants of every run on real processes, whatever its balancer and strategy: each item is
// executed exactly once, all ranks stop, and no communicator is left.
#include "engines/virtual/engine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "driver/check/check_balancer.hpp"
#include "kernel/chains/live_chain.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "regroup/strategy.hpp"
#include "tests/long_tests.hpp"
#include "tests/mpi/world.hpp"
#include "tests/tasks.hpp"

namespace regroup::engine_test {
namespace {

std::vector<const Strategy*> strategies_for(const BalancerEntry& entry) {
  if (entry.regrouping == Regrouping::never) return {nullptr};
  std::vector<const Strategy*> all;
  for (const Strategy& strategy : catalog().strategies) {
    if (!strategy.serves_balancers() || strategy.make == nullptr) continue;
    if (entry.regrouping == Regrouping::in_exchanges || strategy.caller == Caller::group) {
      all.push_back(&strategy);
    }
  }
  return all;
}

struct Case {
  Chosen<BalancerEntry> balancer;
  const Strategy* strategy;
};

/// Returns cases with every variant of a balancer and every strategy; long tests use all
/// combinations.
std::vector<Case> cases() {
  const bool every = long_tests();
  std::vector<Case> all;
  for (const BalancerEntry& entry : catalog().balancers) {
    auto choices = variants(entry);
    std::erase_if(choices, [](const Chosen<BalancerEntry>& choice) {
      return choice.options.has("exchange_interval") &&
             choice.options.text("exchange_interval") == "2";
    });
    const auto strategies = strategies_for(entry);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      for (std::size_t j = 0; j < strategies.size(); ++j) {
        if (!every && i % strategies.size() != j % choices.size()) continue;
        all.push_back({choices[i], strategies[j]});
      }
    }
  }
  return all;
}

std::string name_of(const Case& one) {
  const std::string name = test_name(one.balancer);
  return one.strategy == nullptr ? name : fmt::format("{}_{}", name, one.strategy->name);
}

Task task_of(const Case& one, int group_size, int multiplier) {
  Task task = with(usual_task(catalog()), {{"ranks", std::to_string(world().ranks)},
                                           {"group_size", std::to_string(group_size)},
                                           {"item_ms", "0.4"},
                                           {"waiting", crowded_waiting()}});
  task.run().workload =
      workload("cyclic", {{"multiplier", std::to_string(multiplier)}, {"modulus", "5"}});
  task.run().balancer = one.balancer;
  task.run().strategy = one.strategy;
  return task;
}

void expect_sound(const Task& task, const Outcome& outcome) {
  const auto violation = first_violation(task, outcome);
  EXPECT_FALSE(violation) << *violation;
  EXPECT_EQ(outcome.communicators_left, 0);
  EXPECT_LE(outcome.communicators_alive_max, 3);
  EXPECT_EQ(complaint_about(outcome.place, task.ranks), "");
  EXPECT_NE(outcome.place.mpi, "");
  EXPECT_GT(outcome.setup_s, 0);
  EXPECT_NE(outcome.library, "");
}

void expect_regrouped_alike(const Task& task, const Outcome& real, const Outcome& other) {
  const RegroupStatistics expected = regroup_statistics(other.lives, task.ranks);
  const RegroupStatistics found = regroup_statistics(real.lives, task.ranks);
  EXPECT_EQ(found.processes, expected.processes);
}

class EveryBalancer : public testing::TestWithParam<Case> {};

TEST_P(EveryBalancer, DoesEachItemOnceAndStops) {
  for (int group_size = 1; group_size <= 4; ++group_size) {
    SCOPED_TRACE(fmt::format("G = {}", group_size));
    const Task task = task_of(GetParam(), group_size, 3);
    const Outcome outcome = execute(task, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(task, outcome);
    if (GetParam().balancer->regrouping == Regrouping::in_exchanges)
      expect_regrouped_alike(task, outcome, simulate(task));
  }
}

TEST_P(EveryBalancer, TakesUpEveryWalkerThatWaits) {
  Task task = task_of(GetParam(), 2, 3);
  task.run().walkers_per_group = 3;
  task.run().wants =
      chosen(catalog().wants, "uniform",
             {{"least_wanted_ranks", "1"}, {"most_wanted_ranks", std::to_string(task.ranks)}});
  const Outcome outcome = execute(task, MPI_COMM_WORLD);
  if (world().rank == 0) expect_sound(task, outcome);
}

/// Returns the hash of the chains of `task`, each executed by one rank from start to end.
std::string hash_of_chains(const Task& task) {
  const Chosen<WalkerEntry>& walker = task.run().walker;
  const WalkerSource source{[&](ChainName name) { return walker->make(walker.options, name); },
                            true};
  Team team;
  std::vector<ChainEnd> ends;
  for (const std::int64_t items : initial_items(task)) {
    LiveChain chain(source, {static_cast<int>(ends.size()), task.stream()});
    for (std::int64_t i = 0; i < items && !chain.done(); ++i) chain.execute(0, team);
    ends.push_back(chain.end());
  }
  return hash_of(ends);
}

/// Returns three walkers: a small cluster of atoms whose members communicate in every item; one
/// with a large state of which every byte must arrive; and one that ends after two to eight items.
const std::vector<Chosen<WalkerEntry>>& walkers_with_state() {
  const auto& rows = catalog().walkers;
  static const std::vector<Chosen<WalkerEntry>> all{
      chosen(rows, "lennard_jones",
             {{"atoms", "5"}, {"moves_per_item", "2"}, {"burn_in_items", "5"}}),
      chosen(rows, "sleep", {{"state_bytes", "70001"}}),
      chosen(rows, "trajectory",
             {{"atoms", "3"}, {"temperature", "4"}, {"time_step", "0.002"}, {"steps", "4"}})};
  return all;
}

TEST_P(EveryBalancer, LeavesChainsAsTheyAre) {
  for (const Chosen<WalkerEntry>& walker : walkers_with_state()) {
    SCOPED_TRACE(walker->name);
    Task task = task_of(GetParam(), 2, 3);
    task.run().walker = walker;
    task.run().walkers_per_group = 2;
    const Outcome outcome = execute(task, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(task, outcome);
    EXPECT_EQ(outcome.chains_hash, hash_of_chains(task));
  }
}

/// Returns the groups of even and odd ranks, or two unequal ranges if the balancer needs ranges.
std::string other_groups(const BalancerEntry& balancer, int ranks) {
  const int half = (ranks + 2) / 3;
  std::vector<RankRange> one, other;
  for (int rank = 0; rank < ranks; ++rank) (rank % 2 == 0 ? one : other).push_back({rank, rank});
  std::vector<RankSet> groups{RankSet::of(one), RankSet::of(other)};
  if (!hindrance(balancer, groups).empty()) groups = {{0, half - 1}, {half, ranks - 1}};
  std::erase_if(groups, &RankSet::empty);
  return text_of(StartingGroups(groups));
}

TEST_P(EveryBalancer, StartsFromGroupsOfAnySizes) {
  Task task = task_of(GetParam(), 1, 3);
  regroup::Run& run = task.run();
  run.groups = other_groups(*run.balancer.row, task.ranks);
  run.group_size = StartingGroups::from(run.groups).largest();
  run.walkers_per_group = 2;
  for (const bool with_state : {false, true}) {
    SCOPED_TRACE(with_state);
    if (with_state) run.walker = walkers_with_state().front();
    const Outcome outcome = execute(task, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    expect_sound(task, outcome);
    if (with_state) {
      EXPECT_EQ(outcome.chains_hash, hash_of_chains(task));
    }
  }
}

TEST_P(EveryBalancer, StopsWhereThereIsNoWorkAtAll) {
  const Task task = task_of(GetParam(), 2, 0);
  const Outcome outcome = execute(task, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_sound(task, outcome);
  EXPECT_EQ(outcome.makespan_s(), 0);
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryBalancer, testing::ValuesIn(cases()),
                         [](const auto& test) { return name_of(test.param); });

TEST(Run, WantsTheRanksOfItsTask) {
  Task task = task_of({balancer("none"), nullptr}, 1, 1);
  task.ranks = world().ranks + 1;
  EXPECT_THROW(execute(task, MPI_COMM_WORLD), std::invalid_argument);
}

TEST(Run, TellsHowItsProcessesWaited) {
  for (const std::string waiting : {"direct", "polite", "wrapper", "auto"}) {
    Task task = task_of({balancer("none"), nullptr}, 1, 1);
    task.waiting = waiting;
    if (waiting == "wrapper" && !Waiter::wrapper_is_in_place()) {
      EXPECT_ANY_THROW(execute(task, MPI_COMM_WORLD)) << "it says so where it is not in place";
      continue;
    }
    const Outcome outcome = execute(task, MPI_COMM_WORLD);
    if (world().rank != 0) continue;
    const bool crowded = outcome.place.crowded();
    if (waiting == "direct" || (waiting == "auto" && !crowded)) {
      EXPECT_EQ(outcome.waiting, "direct");
    } else {
      EXPECT_EQ(outcome.waiting, crowded_waiting());
    }
  }
}

}  // namespace
}  // namespace regroup::engine_test
