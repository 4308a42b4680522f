// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engines/virtual/engine.hpp"
#include "kernel/faults.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/resolve.hpp"
#include "regroup/costs.hpp"
#include "tests/tasks.hpp"

namespace regroup::virtual_faults_test {
namespace {

using testing::DoubleNear;

/// Returns a run of groups 0-1 and 2-3 with 10 items each, of 0.1 s on one rank.
RunInput two_groups(const std::string& faults) {
  RunInput run;
  run.ranks = 4;
  run.groups = StartingGroups::equal(4, 2);
  run.items = {10, 10};
  run.balancer = balancer("none")->make({});
  run.item_time = ItemTime([](int ranks) { return 0.1 / ranks; }, 0, 1);
  const FaultPlan plan = FaultPlan::from(faults);
  run.faults = plan.draw(run.ranks, run.stream);
  run.detection_s = plan.detection_ms / 1000;
  return run;
}

std::optional<std::string> violation(const RunInput& run, const Outcome& outcome) {
  return first_violation(outcome.lives, run.groups, run.items, nullptr, run.queue);
}

auto near(double seconds) { return DoubleNear(seconds, 1e-9); }

TEST(VirtualFaults, AGroupGoesOnWithTheRanksThatItHasLeft) {
  const RunInput run = two_groups("kill:3@4");
  const Outcome outcome = simulate(run);
  EXPECT_EQ(violation(run, outcome), std::nullopt);
  // Group 2-3 has done three items at 0.15 s; 0-1 learns of the loss at 0.25 s, after five items.
  ASSERT_EQ(outcome.lives.size(), 4u);
  EXPECT_EQ(outcome.lives[1].ranks, RankSet(2, 3));
  EXPECT_EQ(outcome.lives[1].ended, Turn::recover);
  EXPECT_EQ(outcome.lives[1].items_after, 7);
  EXPECT_THAT(outcome.lives[1].busy_until_s, near(0.15));
  EXPECT_EQ(outcome.lives[2].ranks, RankSet(0, 1));
  EXPECT_EQ(outcome.lives[2].items_before, 5);
  EXPECT_THAT(outcome.lives[2].formed_s, near(0.25));
  EXPECT_EQ(outcome.lives[3].ranks, RankSet(2, 2));
  EXPECT_EQ(outcome.lives[3].began, Turn::recover);
  EXPECT_THAT(outcome.makespan_s(), near(0.25 + 0.7));
  ASSERT_EQ(outcome.lost.size(), 1u);
  EXPECT_EQ(outcome.lost[0].rank, 3);
  EXPECT_THAT(outcome.lost[0].at_s, near(0.25));
  EXPECT_THAT(outcome.lost[0].recovered_s, near(0));
}

TEST(VirtualFaults, AnotherGroupTakesOverTheChainOfALostOne) {
  const RunInput run = two_groups("kill:2@0.2s/kill:3@4");
  const Outcome outcome = simulate(run);
  EXPECT_EQ(violation(run, outcome), std::nullopt);
  EXPECT_EQ(loss_statistics(outcome.lives).lost, RankSet(2, 3));
  EXPECT_THAT(outcome.makespan_s(), near(0.3 + (5 + 7) * 0.05));  // both losses known
  EXPECT_EQ(outcome.lives.back().walker, 2);
  EXPECT_EQ(outcome.lives.back().began, Turn::next);
}

TEST(VirtualFaults, AHangingRankIsLostAsWell) {
  EXPECT_EQ(simulate(two_groups("hang:3@4")).lives, simulate(two_groups("kill:3@4")).lives);
}

TEST(VirtualFaults, ASlowRankHoldsUpItsGroup) {
  const RunInput run = two_groups("slow:3x4");
  const Outcome outcome = simulate(run);
  EXPECT_EQ(violation(run, outcome), std::nullopt);
  EXPECT_THAT(outcome.makespan_s(), near(2));
  EXPECT_TRUE(outcome.lost.empty());
}

TEST(VirtualFaults, AChainWithAStateGoesBackToItsLastSavedOne) {
  RunInput run = two_groups("kill:3@8");
  run.save_every = 5;
  const Outcome outcome = simulate(run);
  EXPECT_EQ(violation(run, outcome), std::nullopt);
  EXPECT_EQ(outcome.lives[1].executed_max, 7);
  EXPECT_EQ(outcome.lives[1].items_after, 5);
  EXPECT_EQ(outcome.lives[0].items_after, 1);  // it lost no rank
  EXPECT_EQ(loss_statistics(outcome.lives).items_repeated, 2);
}

TEST(VirtualFaults, SavingTakesItsTime) {
  RunInput run = two_groups("none");
  run.save_every = 3;
  run.save_s = 0.02;
  run.chain_items = run.items;
  EXPECT_THAT(simulate(run).makespan_s(), near(10 * 0.05 + 3 * 0.02));
}

TEST(VirtualFaults, SpreadGivesRanksToTheGroupThatLostOne) {
  for (const char* loads : {"known", "unknown"}) {
    RunInput run = two_groups("kill:3@4s");
    run.items = {100, 100};
    const auto spread = balancer("spread", {{"loads", loads}});
    run.balancer = spread->make(spread.options);
    const Outcome outcome = simulate(run);
    EXPECT_EQ(violation(run, outcome), std::nullopt);
    const double work_s = 200 * 0.1;
    const double ideal_s = 4 + (work_s - 4 * 4) / 3;
    EXPECT_LT(outcome.makespan_s(), 1.03 * ideal_s + run.detection_s) << loads;
  }
}

TEST(VirtualFaults, ALossDuringRecoveryIsPartOfIt) {
  const RunInput run = two_groups("kill:3@4/kill:0@0.25s/kill:1@0.31s");
  const Outcome outcome = simulate(run);
  EXPECT_EQ(violation(run, outcome), std::nullopt);
  EXPECT_EQ(outcome.lost.size(), 3u);
  EXPECT_EQ(loss_statistics(outcome.lives).lost.size(), 3);
}

TEST(VirtualFaults, ALossAfterTheEndIsNone) {
  const Outcome outcome = simulate(two_groups("kill:3@0.6s"));
  EXPECT_TRUE(outcome.lost.empty());
  EXPECT_EQ(outcome.lives, simulate(two_groups("none")).lives);
}

TEST(VirtualFaults, RecoveryCosts) {
  Task task = virtual_run({{"ranks", "16"},
                           {"on_rank_loss", "recover"},
                           {"costs", "bluegene_p"},
                           {"faults", "kill:5@3"}});
  const Outcome outcome = simulate(task);
  EXPECT_EQ(first_violation(task, outcome), std::nullopt);
  ASSERT_EQ(outcome.lost.size(), 1u);
  EXPECT_GT(outcome.lost[0].recovered_s, 0);
  EXPECT_LT(outcome.lost[0].recovered_s, 1e-3);
  EXPECT_EQ(loss_statistics(outcome.lives).recovery_s, outcome.lost[0].recovered_s);
}

// Random failures, with every balancer.

class EveryLosingBalancer : public testing::TestWithParam<Chosen<BalancerEntry>> {};

TEST_P(EveryLosingBalancer, SurvivesEveryFailure) {
  Task task = virtual_run({{"item_ms", "10"}, {"on_rank_loss", "recover"}});
  choose_balancer(task, GetParam());
  int losses = 0;
  for (int i = 0; i < 150; ++i) {
    task.ranks = 2 + i % 23;
    task.seed = static_cast<std::uint64_t>(i);
    task =
        with(task, {{"group_size", std::to_string(1 + i % 3)},
                    {"walkers_per_group", std::to_string(1 + i % 2)},
                    {"jitter", i % 5 == 0 ? "0.3" : "0"},
                    {"costs", i % 4 == 0 ? "cluster" : "free"},
                    {"workload", i % 7 == 0 ? "constant(mean_items=20)" : "pareto(mean_items=20)"},
                    {"faults", i % 2 == 0 ? "kill:random@3/mtbf:0.2s/detection:5ms"
                                          : "kill:random@0.05s/slow:randomx3/mtbf:0.1s"}});
    RunInput run = resolve(task);
    run.save_every = i % 3 == 0 ? 4 : 0;
    SCOPED_TRACE(fmt::format("case {} on {} ranks", i, task.ranks));
    try {
      const Outcome outcome = simulate(run, costs_of(task));
      EXPECT_EQ(first_violation(task, outcome), std::nullopt);
      RankSet lost = loss_statistics(outcome.lives).lost;
      EXPECT_EQ(lost.size(), static_cast<int>(outcome.lost.size()));
      for (const LostRank& one : outcome.lost) EXPECT_TRUE(lost.contains(one.rank));
      losses += lost.size();
    } catch (const std::logic_error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(losses, 100);
}

std::vector<Chosen<BalancerEntry>> every_balancer() {
  std::vector<Chosen<BalancerEntry>> all{balancer("collective", {{"exchange_interval", "3"}}),
                                         balancer("asynchronous", {{"finished_groups", "merge"}})};
  for (const BalancerEntry& entry : catalog().balancers) all.push_back(balancer(entry.name));
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, EveryLosingBalancer, testing::ValuesIn(every_balancer()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace regroup::virtual_faults_test
