// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/outcome.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "kernel/regroup_statistics.hpp"

namespace regroup::outcome_test {
namespace {

using testing::ElementsAre;
using testing::Pair;

GroupLife busy_until(double busy_s, std::int64_t items) {
  GroupLife life;
  life.items_before = life.executed_min = life.executed_max = items;
  life.busy_until_s = busy_s;
  return life;
}

TEST(Outcome, EndsWithTheLastItemOfAnyGroup) {
  Outcome outcome;
  EXPECT_EQ(outcome.makespan_s(), 0);
  outcome.lives = {busy_until(4, 0)};  // without work
  EXPECT_EQ(outcome.makespan_s(), 0);
  outcome.lives = {busy_until(2, 1), busy_until(3, 5), busy_until(1, 1)};
  EXPECT_EQ(outcome.makespan_s(), 3);
  outcome.lives = {busy_until(2, 1), busy_until(4, 0)};
  EXPECT_EQ(outcome.makespan_s(), 2);
}

GroupLife formed(RankSet ranks, bool by_regrouping) {
  GroupLife life;
  life.ranks = ranks;
  life.began = by_regrouping ? Turn::regroup : Turn::start;
  return life;
}

TEST(RegroupStatistics, AreZeroWhereNobodyRegrouped) {
  const std::vector lives{formed({0, 3}, false), formed({4, 7}, false)};
  const RegroupStatistics statistics = regroup_statistics(lives, 8);
  EXPECT_EQ(statistics.average, 0);
  EXPECT_EQ(statistics.deviation, 0);
  EXPECT_EQ(statistics.min, 0);
  EXPECT_EQ(statistics.max, 0);
  EXPECT_THAT(statistics.processes, ElementsAre(Pair(0, 8)));
}

TEST(RegroupStatistics, CountARegroupingForEveryRankThatTookPart) {
  const std::vector lives{formed({0, 0}, false), formed({1, 1}, false), formed({2, 2}, false),
                          formed({3, 3}, false), formed({1, 2}, true),  formed({0, 2}, true)};
  const RegroupStatistics statistics = regroup_statistics(lives, 4);
  EXPECT_DOUBLE_EQ(statistics.average, 5.0 / 4);
  EXPECT_DOUBLE_EQ(statistics.deviation, std::sqrt(11.0 / 16));  // over all ranks
  EXPECT_THAT(statistics.processes, ElementsAre(Pair(0, 1), Pair(1, 1), Pair(2, 2)));
  EXPECT_EQ(statistics.min, 0);
  EXPECT_EQ(statistics.max, 2);
}

TEST(RegroupStatistics, LeaveOutTheRanksInAGap) {
  const std::vector lives{formed({0, 4}, false), formed(RankSet::of({{0, 1}, {4, 4}}), true),
                          formed({2, 2}, true)};
  EXPECT_THAT(regroup_statistics(lives, 5).processes, ElementsAre(Pair(0, 1), Pair(1, 4)));
  EXPECT_TRUE(regroup_statistics({}, 0).processes.empty());
}

GroupLife executed(RankSet ranks, Turn began, double formed_s, double busy_s, std::int64_t items) {
  GroupLife life;
  life.ranks = ranks;
  life.walker = 0;
  life.began = began;
  life.executed_max = items;
  life.formed_s = formed_s;
  life.busy_until_s = busy_s;
  return life;
}

TEST(RegroupEffects, AreWhatChangedForTheChains) {
  // An item takes 1 s on one rank and 3 s on two; finally one rank continues alone.
  const std::vector lives{executed({0, 0}, Turn::start, 0, 10, 10),
                          executed({0, 1}, Turn::regroup, 10, 22, 4),
                          executed({1, 1}, Turn::regroup, 22, 23, 1)};
  const RegroupEffects effects = regroup_effects(lives);
  EXPECT_EQ(effects.probes, 1);
  EXPECT_EQ(effects.undone, 1);
  EXPECT_EQ(effects.kept, 0);
  EXPECT_DOUBLE_EQ(effects.slowdown, 3);
  EXPECT_EQ(regroup_effects({}), RegroupEffects());
}

TEST(RegroupEffects, LeaveOutGroupsWithoutAChain) {
  GroupLife idle = executed({1, 3}, Turn::regroup, 0, 0, 0);
  idle.walker = -1;
  const std::vector lives{executed({0, 0}, Turn::start, 0, 10, 10), idle,
                          executed({0, 3}, Turn::regroup, 10, 15, 20)};
  const RegroupEffects effects = regroup_effects(lives);
  EXPECT_EQ(effects.probes, 1);
  EXPECT_EQ(effects.undone, 0);
  EXPECT_EQ(effects.kept, 1);
  EXPECT_DOUBLE_EQ(effects.slowdown, 0.25);
}
}  // namespace
}  // namespace regroup::outcome_test
