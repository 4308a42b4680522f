// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "engines/virtual/leaders.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

/// Two groups, 0-3 with 5 items of walker 0 and 4-7, which is done with its own.
class HandOver : public testing::Test {
 protected:
  HandOver() {
    leaders_.at(0).group = {RankRange{0, 3}, {0, 5}, {}};
    leaders_.at(4).group = {RankRange{4, 7}, {4, 0}, {}};
    run_.state_bytes = 1000;
  }

  double seconds(RankRange ranks, Chain chain) {
    return hand_over_s(std::vector{0, 4}, {ranks, chain, {}}, run_, costs_, leaders_, outcome_);
  }

  static Costs one_byte_in_a_microsecond() {
    Scenario scenario;
    scenario.engine = "virtual";
    scenario.costs = {"free", {{"bandwidth_mb_s", "1"}}};
    return resolve_costs(scenario);
  }

  std::vector<RankRange> groups_{{0, 3}, {4, 7}};
  Leaders leaders_{8, groups_};
  RunInput run_;
  Costs costs_ = one_byte_in_a_microsecond();
  Outcome outcome_;
};

TEST_F(HandOver, TakesItsTimeWhereSomeLackTheState) {
  EXPECT_EQ(seconds({0, 7}, {0, 5}), costs_.hand_over(8, 1000));
  EXPECT_EQ(seconds({2, 5}, {0, 5}), costs_.hand_over(4, 1000));
  EXPECT_EQ(outcome_.hand_over_s, costs_.hand_over(8, 1000) + costs_.hand_over(4, 1000));
  EXPECT_EQ(outcome_.hand_over_bytes, 1000);
}

TEST_F(HandOver, TakesLongerWhereAllLackIt) {
  EXPECT_EQ(seconds({4, 7}, {0, 5}), costs_.hand_over(4, 1000, true));
  EXPECT_EQ(seconds({6, 6}, {0, 5}), costs_.hand_over(1, 1000, true));
}

TEST_F(HandOver, IsNothingWhereAllHaveIt) {
  EXPECT_EQ(seconds({0, 3}, {0, 5}), 0);
  EXPECT_EQ(seconds({1, 2}, {0, 5}), 0);
}

TEST_F(HandOver, IsNothingForAChainThatBeginsOrEnds) {
  EXPECT_EQ(seconds({0, 7}, {64, 9}), 0);
  EXPECT_EQ(seconds({0, 7}, {4, 0}), 0);
  EXPECT_EQ(outcome_.hand_over_s, 0);
}

TEST_F(HandOver, IsNothingWithoutAState) {
  run_.state_bytes = 0;
  EXPECT_EQ(seconds({0, 7}, {0, 5}), 0);
}

// Two groups of two ranks: 0-1 has no item, 2-3 has ten. Where they merge, the group's first item
// begins when all have the state.
TEST(HandOverInARun, DelaysTheItemsOfTheGroup) {
  Scenario scenario;
  scenario.engine = "virtual";
  scenario.ranks = 4;
  scenario.group_size = 2;
  scenario.workload = {"cyclic", {{"multiplier", "5"}, {"modulus", "32"}}};
  scenario.balancer = {"asynchronous", {{"finished_groups", "release"}, {"listen_ms", "1"}}};
  scenario.communicator = "create_group";
  scenario.costs = {"free", {{"bandwidth_mb_s", "1000"}}};
  const Outcome without = simulate(scenario);
  scenario.walker.options.set("state_bytes", "1000000");
  const Outcome with = simulate(scenario);
  EXPECT_NEAR(with.hand_over_s, 0.002, 1e-6);
  EXPECT_NEAR(with.makespan_s() - without.makespan_s(), with.hand_over_s, 1e-8);
  EXPECT_EQ(with.lives.back().formed_s, without.lives.back().formed_s);
  EXPECT_EQ(without.hand_over_s, 0);
}

}  // namespace
}  // namespace regroup
