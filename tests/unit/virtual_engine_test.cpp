// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <set>

#include "balancers/load_table.hpp"
#include "engines//virtual/engine.hpp"
#include "engines/virtual/pace.hpp"
#include "library/resolve.hpp"
#include "regroup/costs.hpp"
#include "regroup/workload.hpp"
#include "tests/tasks.hpp"

namespace regroup::virtual_engine_test {
namespace {

// Runs every workload with every balancer in virtual time, on sizes that divide unevenly, and
// audits the results.

std::optional<std::string> violation(const Task& run) {
  return first_violation(run, simulate(run));
}

using OneBalancer = Chosen<BalancerEntry>;
using OneWorkload = Chosen<WorkloadEntry>;

/// Returns every balancer with its default options, and some with other options.
std::vector<OneBalancer> every_balancer() {
  std::vector<OneBalancer> all{balancer("collective", {{"exchange_interval", "1"}}),
                               balancer("collective", {{"exchange_interval", "3"}}),
                               balancer("asynchronous", {{"finished_groups", "merge"}})};
  for (const BalancerEntry& entry : catalog().balancers) all.push_back(balancer(entry.name));
  return all;
}

std::vector<OneWorkload> every_workload() {
  std::vector<OneWorkload> all;
  for (const WorkloadEntry& entry : catalog().workloads) {
    OneWorkload one = workload(entry.name);
    if (one.options.size() != entry.options.size()) continue;  // needs a file
    if (one.options.has("mean_items")) one.options.set("mean_items", "9");
    all.push_back(std::move(one));
  }
  return all;
}

class EveryRun : public testing::TestWithParam<std::tuple<OneWorkload, OneBalancer, double>> {};

TEST_P(EveryRun, ExecutesEveryItemOnceAndStopsEverybody) {
  Task task = virtual_run({{"item_ms", "10"}});
  regroup::Run& run = task.run();
  std::tie(run.workload, run.balancer, run.jitter) = GetParam();
  for (run.group_size = 1; run.group_size <= 4; ++run.group_size) {
    for (const int ranks : {1, 2, 3, 5, 9, 17, 33, 65}) {
      task.ranks = ranks;
      EXPECT_EQ(violation(task), std::nullopt) << ranks << " ranks in groups of " << run.group_size;
    }
  }
}

std::string name_of(const testing::TestParamInfo<EveryRun::ParamType>& test) {
  const auto& [workload, chosen, jitter] = test.param;
  return fmt::format("{}_{}{}", workload->name, test_name(chosen), jitter > 0 ? "_jitter" : "");
}

INSTANTIATE_TEST_SUITE_P(Each, EveryRun,
                         testing::Combine(testing::ValuesIn(every_workload()),
                                          testing::ValuesIn(every_balancer()),
                                          testing::Values(0.0, 0.5)),
                         name_of);

Task small(const OneBalancer& chosen, NamedValues values = {}) {
  Task run = virtual_run({{"ranks", "8"}, {"workload", "cyclic(multiplier=10 modulus=32)"}});
  run.run().balancer = chosen;
  return with(run, values);
}

TEST(Engine, TakesTheSpeedUpModelsTime) {
  const Task run = small(balancer("none"), {{"speedup", "amdahl(serial_fraction=1)"}});
  EXPECT_DOUBLE_EQ(simulate(run).makespan_s(), 40 * 0.1);
}

TEST(Engine, TakesTheTrueTimeWhateverBalancersBelieve) {
  const Task right = virtual_run({{"ranks", "16"}, {"balancer", "none"}});
  const Task wrong = virtual_run({{"ranks", "16"},
                                  {"balancer", "none"},
                                  {"item_ms", "7"},
                                  {"speedup", "amdahl(serial_fraction=0.5)"},
                                  {"true_item_ms", "100"},
                                  {"true_speedup", "perfect"}});
  EXPECT_EQ(simulate(wrong).makespan_s(), simulate(right).makespan_s());
  const Items items = initial_items(right);
  EXPECT_EQ(ideal_s(wrong, items), ideal_s(right, items));
  EXPECT_EQ(bound_s(wrong, items), bound_s(right, items));
  const RunInput input = resolve(wrong);
  EXPECT_DOUBLE_EQ(input.believed().seconds(1), 0.007);
  EXPECT_DOUBLE_EQ(input.item_time.seconds(2), 0.05);
}

TEST(Engine, AddsUpTheTimesOfJitteredItems) {
  const Task run = small(balancer("none"), {{"jitter", "0.2"}});
  const ItemTime time = resolve(run).item_time;
  double sum = 0;
  for (int left = 40; left > 0; --left) sum += time.seconds(4, 4, left);
  EXPECT_NEAR(simulate(run).makespan_s(), sum, 40 * 1e-12);
}

TEST(Engine, EndsAWorkingGroupWithTheItemInWhichTheRequestCame) {
  // Group 0-3 has no items and asks at 0 s, during the first item of 4-7, which takes 25 ms.
  const Outcome outcome = simulate(small(balancer("asynchronous")));
  ASSERT_EQ(outcome.lives.size(), 3u);
  EXPECT_DOUBLE_EQ(outcome.lives[1].ended_s, 0.025);
  EXPECT_EQ(outcome.lives[1].items_after, 39);
  EXPECT_DOUBLE_EQ(outcome.lives[2].ended_s, 0.025 + 39 * 0.0125);
}

TEST(Engine, FailsWhereVirtualTimeEndsBeforeTheRun) {
  const auto ends = [](const Task& run) {
    EXPECT_THROW(simulate(run), VirtualTimeEnds) << to_json(run);
  };
  for (const OneBalancer& chosen : every_balancer()) {
    for (const double jitter : {0.0, 0.1}) {
      Task task = small(chosen);
      task.run().jitter = jitter;
      task.run().workload = workload("constant", {{"mean_items", "100000"}});
      task.run().item_ms = 1e6;  // 100,000 times 250 s: 289 days
      ends(task);
      task.run().item_ms = 3e5;  // 87 days
      EXPECT_NO_THROW(simulate(task));
    }
  }
  Task item = small(balancer("none"));
  item.run().item_ms = 1e11;  // a single item takes longer
  ends(item);
  const auto expensive = [](const OneBalancer& chosen, const char* cost) {
    Task task = small(chosen, {{"communicator", "create_group"}});
    task.run().costs = cost_model("free", {{cost, "1e13"}});
    return task;
  };
  ends(expensive(balancer("asynchronous"), "group_creation_us"));
  ends(expensive(balancer("asynchronous"), "latency_us"));
  ends(expensive(balancer("collective", {{"exchange_interval", "1"}}), "exchange_loads_us"));
}

TEST(Engine, ComesToItsEndJustBeforeVirtualTimeEnds) {
  Task task = small(balancer("none"));  // 40 items of a quarter of item_ms
  double& item_ms = task.run().item_ms;
  item_ms = seconds(last_tick) * 1000 / 40 * 4 * (1 - 1e-9);
  EXPECT_NEAR(simulate(task).makespan_s() / seconds(last_tick), 1, 1e-8);
  item_ms *= 1 + 2e-9;
  EXPECT_THROW(simulate(task), VirtualTimeEnds);
}

TEST(Engine, GivesUpWhenItIsAskedTo) {
  Task run = small(balancer("none"), {{"jitter", "0.1"}});
  run.run().workload = workload("constant", {{"mean_items", "1000000000"}});  // takes a minute
  int looks = 0;
  EXPECT_THROW(simulate(run, [&] { return ++looks == 3; }), Stopped);
  EXPECT_EQ(looks, 3);
}

TEST(Engine, HasTheSameOutcomeWithAnySeedWhereNothingIsDrawn) {
  int differ = 0;
  for (const OneBalancer& chosen : every_balancer()) {
    for (const OneWorkload& workload : every_workload()) {
      Task task = small(chosen, {{"ranks", "37"}});
      task.run().workload = workload;
      std::set<std::string> outcomes;
      for (task.seed = 1; task.seed <= 5; ++task.seed) outcomes.insert(to_json(simulate(task)));
      const bool draws = chosen->draws(chosen.options) || workload->draws;
      EXPECT_TRUE(draws || outcomes.size() == 1) << to_json(task);
      differ += outcomes.size() > 1;
    }
  }
  EXPECT_GT(differ, 0);
}

TEST(Engine, CountsItsEvents) {
  // Group 0-3 has no items and stops at once; the only event is the end of all items of 4-7.
  EXPECT_EQ(simulate(small(balancer("none"))).events, 1u);
  // Request and answer; start and end of the merged group; the end of the current item of 4-7, and
  // its originally planned end, which is stale.
  EXPECT_EQ(simulate(small(balancer("asynchronous"))).events, 6u);
}

/// Returns a trace workload with the given numbers of items.
OneWorkload trace(const std::string& name, const std::string& items) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path) << "items\n" << items;
  return workload("trace", {{"trace_file", path}});
}

// The order of simultaneous events, and all times of small runs with costs, computed by hand.

/// Returns a run of groups of `group_size` ranks with `multiplier` · (lowest rank mod `modulus`)
/// items; an item takes 100 ms on one rank.
Task run_of(int ranks, int group_size, int multiplier, int modulus, const OneBalancer& chosen) {
  Task task = virtual_run();
  task.ranks = ranks;
  task.run().group_size = group_size;
  task.run().workload = workload(
      "cyclic", {{"multiplier", std::to_string(multiplier)}, {"modulus", std::to_string(modulus)}});
  choose_balancer(task, chosen);
  return task;
}

OneBalancer releasing() { return balancer("asynchronous"); }

/// Returns the last life of the group with these ranks.
GroupLife last_life(const Outcome& outcome, RankRange ranks) {
  GroupLife found;
  for (const GroupLife& life : outcome.lives) {
    if (life.ranks == ranks) found = life;
  }
  EXPECT_EQ(found.ranks, ranks) << "there was no such group";
  return found;
}

// Group 1-2 forms at 0.2 s, exactly when rank 0 ends its work and asks it. (Ranks 0, 1 and 2 have
// 2, 0 and 9 items; rank 2 ends its first item at 0.1 s; forming a group of two takes 100 ms.)
TEST(EqualTimes, AMessageComesBeforeTheDecisionThatItIsFor) {
  Task run = run_of(3, 1, 1, 1, releasing());
  run.run().workload = trace("equal_times_trace.csv", "2\n0\n9\n");
  run.run().costs = cost_model("free", {{"group_creation_us", "100000"}});
  const Outcome outcome = simulate(run);
  const GroupLife pair = last_life(outcome, {1, 2});
  EXPECT_DOUBLE_EQ(pair.formed_s, 0.2);
  EXPECT_DOUBLE_EQ(pair.ended_s, 0.2);
  EXPECT_EQ(pair.items_after, 8);
  EXPECT_NEAR(last_life(outcome, {0, 2}).formed_s, 0.2 + 0.1 * std::log2(3), 1e-11);
}

// Four pairs merge, all at 0.1 s.
TEST(EqualTimes, WhatWasMadeFirstHappensFirst) {
  const Outcome outcome = simulate(run_of(8, 1, 2, 2, releasing()));
  std::vector<RankSet> formed;
  for (const GroupLife& life : outcome.lives) {
    if (life.regrouped() && std::abs(life.formed_s - 0.1) < 1e-9) formed.push_back(life.ranks);
  }
  EXPECT_THAT(formed,
              testing::ElementsAre(RankSet(0, 1), RankSet(2, 3), RankSet(4, 5), RankSet(6, 7)));
}

TEST(EqualTimes, AGroupFindsARequestThatComesWithTheEndOfItsItem) {
  // Group 0-1 ends its only item at 0.05 s and asks. Then, 2-3 ends the first of its two items.
  Task run = run_of(4, 2, 1, 32, releasing());
  run.run().workload = trace("request_at_end_trace.csv", "1\n2\n");
  const GroupLife right = last_life(simulate(run), {2, 3});
  EXPECT_DOUBLE_EQ(right.ended_s, 0.05);
  EXPECT_EQ(right.items_after, 1);
}

// Two groups of two ranks: 0-1 has no item, 2-3 has ten.
TEST(Communication, TakesItsTimeWhereAGroupAsksAnother) {
  Task run = run_of(4, 2, 5, 32, releasing());
  run.run().costs = cost_model("free", {{"latency_us", "3000"},
                                        {"bandwidth_mb_s", "1e12"},
                                        {"look_for_request_us", "20"},
                                        {"tell_members_us", "1000"},
                                        {"group_creation_us", "7000"}});
  const Outcome outcome = simulate(run);

  // The request arrives at 3 ms. The first item of 2-3 takes 50 ms, an order (1 ms) and a look.
  const GroupLife right = last_life(outcome, {2, 3});
  EXPECT_NEAR(right.ended_s, 0.05102, 1e-11);
  EXPECT_NEAR(right.busy_until_s, 0.05102, 1e-11);
  EXPECT_EQ(right.items_after, 9);
  // The answer takes 3 ms. Telling the members of 0-1 then takes 1 ms.
  const GroupLife left = last_life(outcome, {0, 1});
  EXPECT_NEAR(left.ended_s, 0.05402, 1e-11);
  EXPECT_EQ(left.busy_until_s, 0);
  // Four members form in 14 ms and are told in 2 ms. No looks: no other group is left to ask.
  const GroupLife all = last_life(outcome, {0, 3});
  EXPECT_NEAR(all.formed_s, 0.05402 + 0.001 + 0.014, 1e-11);
  EXPECT_NEAR(all.busy_until_s, all.formed_s + 0.002 + 9 * 0.025, 1e-11);
  EXPECT_EQ(all.ended_s, all.busy_until_s);
  EXPECT_TRUE(all.stopped());
}

// Rank 0 has run out of items and asks the pair 1-2, which takes longer than rank 0 to tell its
// members.
TEST(Communication, EndsWithTheGroupWhoseMembersAreToldLast) {
  Task run = run_of(3, 1, 0, 1, releasing());
  run.run().workload = trace("communication_trace.csv", "4\n0\n9\n");
  run.run().costs = cost_model("free", {{"tell_members_us", "1000"}});
  const Outcome outcome = simulate(run);
  // Group 1-2 forms at 0.1 s; its items take 51 ms each. Rank 0 asks at 0.4 s.
  const GroupLife pair = last_life(outcome, {1, 2});
  EXPECT_NEAR(pair.ended_s, 0.1 + 6 * 0.051, 1e-11);
  EXPECT_NEAR(last_life(outcome, {0, 2}).formed_s, pair.ended_s + 0.001, 1e-11);
}

/// Groups 0-1, 2-3 and 4-5 with 0, 6 and 12 items exchange loads after every second item.
struct Exchanging {
  explicit Exchanging(const char* communicator) {
    task = run_of(6, 2, 3, 6, balancer("collective", {{"exchange_interval", "2"}}));
    task.run().strategy = strategy(communicator);
    task.run().costs = cost_model("free", {{"tell_members_us", "1000"},
                                           {"exchange_loads_us", "5000"},
                                           {"bandwidth_mb_s", "1e12"},
                                           {"parent_creation_us", "10000"},
                                           {"group_creation_us", "30000"}});
  }

  Task task;
  const double told_two = 0.001;
  const double told_four = 0.002;
  const double told_six = 0.001 * std::log2(6);
  const double exchanged_three = 0.005 * std::log2(3);
  const double exchanged_two = 0.005;
};

TEST(Communication, TakesItsTimeInExchangesOfEverybodysGroups) {
  const Exchanging run("comm_split");
  const Outcome outcome = simulate(run.task);
  const double create = 0.010 * std::log2(6);

  // The members are told once, and then execute two items of 50 ms each.
  const double known = run.told_two + 0.1 + run.exchanged_three;
  EXPECT_NEAR(last_life(outcome, {0, 1}).ended_s, known, 1e-11);
  EXPECT_NEAR(last_life(outcome, {2, 3}).ended_s, known, 1e-11);
  const GroupLife left = last_life(outcome, {0, 3});
  EXPECT_NEAR(left.formed_s, known + run.told_two + create, 1e-11);
  EXPECT_EQ(left.items_before, 4);
  EXPECT_EQ(left.walker, 2);
  // Group 4-5 takes part in forming 0-3, so it resumes as late, and its two items end last.
  const double again = left.formed_s + run.told_two + 0.1 + run.exchanged_two;
  EXPECT_NEAR(left.busy_until_s, again + run.told_four + 2 * 0.025, 1e-11);
  // The second exchange changes nothing and forms no group. In the third, 0-3 has no items left.
  const double third = again + run.told_two + 0.1 + run.exchanged_two;
  EXPECT_NEAR(left.ended_s, third, 1e-11);
  EXPECT_NEAR(last_life(outcome, {4, 5}).busy_until_s, third - run.exchanged_two, 1e-11);
  // The four members of 0-3 are told last; six ranks then execute six items in one go.
  const GroupLife all = outcome.lives[4];
  EXPECT_EQ(all.ranks, (RankRange{0, 5}));
  EXPECT_NEAR(all.formed_s, third + run.told_four + create, 1e-11);
  EXPECT_EQ(all.items_before, 6);
  EXPECT_NEAR(all.busy_until_s, all.formed_s + run.told_six + 0.1, 1e-11);
  // The group regroups once more, alone.
  const GroupLife again_all = outcome.lives[5];
  EXPECT_NEAR(again_all.formed_s, all.busy_until_s + run.told_six + create, 1e-11);
  EXPECT_EQ(again_all.busy_until_s, again_all.formed_s);
}

TEST(Communication, IsNoMatterOfThoseThatStayWhereOnlyMembersMustCall) {
  const Exchanging run("create_group");
  const Outcome outcome = simulate(run.task);
  const double known = run.told_two + 0.1 + run.exchanged_three;
  const GroupLife left = last_life(outcome, {0, 3});
  EXPECT_NEAR(left.formed_s, known + run.told_two + 0.060, 1e-11);
  // Group 4-5 resumes at once; 0-3, for which the exchange must wait, ends its items last.
  EXPECT_NEAR(last_life(outcome, {4, 5}).busy_until_s,
              left.formed_s + run.told_four + 0.05 + run.exchanged_two + run.told_two + 0.1, 1e-11);
}

}  // namespace
}  // namespace regroup::virtual_engine_test
