// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/costs.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "library/resolve.hpp"
#include "regroup/numbers.hpp"
#include "regroup/strategy.hpp"
#include "tests/tasks.hpp"

namespace regroup::costs_test {
namespace {

// Tests each term of the cost model with values that no other term could produce.

constexpr double us = 1e-6;

/// Returns the costs of a run with 1,024 ranks.
Costs costs(const Options& options, std::string_view communicator = "",
            std::string_view model = "free") {
  Task run = virtual_run({{"ranks", "1024"}});
  run.run().strategy = strategy(communicator);
  run.run().costs = cost_model(model, options);
  return costs_of(run);
}

TEST(Costs, OfAMessageAreItsLatencyAndThatOf32Bytes) {
  EXPECT_DOUBLE_EQ(costs({{"latency_us", "3"}}).message(), 3 * us + 32e-18);
  EXPECT_DOUBLE_EQ(costs({{"bandwidth_mb_s", "2"}}).message(), 16 * us);
  EXPECT_DOUBLE_EQ(costs({{"latency_us", "3"}, {"bandwidth_mb_s", "2"}}).message(), 19 * us);
}

TEST(Costs, OfTellingGrowWithTheLevelsOfATreeOverTheMembers) {
  const Costs found = costs({{"tell_members_us", "3"}});
  EXPECT_EQ(found.tell(1), 0);
  EXPECT_DOUBLE_EQ(found.tell(2), 3 * us);
  EXPECT_DOUBLE_EQ(found.tell(8), 9 * us);
  EXPECT_DOUBLE_EQ(found.tell(6), 3 * us * exact::log2(6));
}

TEST(Costs, OfAnExchangeGrowWithTheLevelsAndTheBytesOfAllLoads) {
  const Costs levels = costs({{"exchange_loads_us", "5"}, {"bandwidth_mb_s", "1e12"}});
  EXPECT_NEAR(levels.exchange(1), 0, 1e-15);
  EXPECT_NEAR(levels.exchange(2), 5 * us, 1e-15);
  EXPECT_NEAR(levels.exchange(16), 20 * us, 1e-15);
  EXPECT_DOUBLE_EQ(costs({{"bandwidth_mb_s", "2"}}).exchange(16), 64 * us);
  EXPECT_DOUBLE_EQ(costs({{"exchange_loads_us", "5"}, {"bandwidth_mb_s", "2"}}).exchange(16),
                   84 * us);
}

TEST(Costs, OfHandingAStateOverAreAnAllreduceAndABroadcast) {
  const Costs latency = costs({{"latency_us", "3"}});
  EXPECT_NEAR(latency.hand_over(2, 1000), 9 * us, 1e-13);
  EXPECT_NEAR(latency.hand_over(16, 1000), 36 * us, 1e-13);
  const Costs bytes = costs({{"bandwidth_mb_s", "1"}});  // 32 µs per message, 1 µs per byte
  EXPECT_DOUBLE_EQ(bytes.hand_over(2, 1000), (96 + 1000) * us);
  EXPECT_DOUBLE_EQ(bytes.hand_over(16, 1000), (384 + 2000) * us);
}

TEST(Costs, OfAStateFromElsewhereAreAMessageAndAnotherAllreduceMore) {
  const Costs bytes = costs({{"bandwidth_mb_s", "1"}});
  EXPECT_DOUBLE_EQ(bytes.hand_over(1, 1000, true), (32 + 1000) * us);
  EXPECT_DOUBLE_EQ(bytes.hand_over(16, 1000, true), (384 + 2000 + 256 + 32 + 1000) * us);
}

TEST(Costs, OfHandingOverAreNothingWhereThereIsNothingOrNobody) {
  const Costs dear = costs({{"latency_us", "3"}, {"bandwidth_mb_s", "1"}});
  EXPECT_EQ(dear.hand_over(16, 0), 0);
  EXPECT_EQ(dear.hand_over(16, 0, true), 0);
  EXPECT_EQ(dear.hand_over(1, 1000), 0);
}

TEST(Costs, WithDearerCreationDifferInNothingElse) {
  const Costs usual = costs({{"group_creation_us", "5"}, {"tell_members_us", "3"}}, "create_group");
  const Costs dearer = usual.with_dearer_creation(4).with_dearer_creation(10);
  EXPECT_DOUBLE_EQ(dearer.create(8), 600 * us);
  EXPECT_EQ(dearer.tell(8), usual.tell(8));
  EXPECT_EQ(dearer.message(), usual.message());
  EXPECT_NE(dearer, usual);
  EXPECT_EQ(usual.with_dearer_creation(1), usual);
}

TEST(Costs, OfARangeStayNothingHoweverDearCreationIs) {
  const Costs dearer = costs({{"tell_members_us", "3"}}, "icreate_group").with_dearer_creation(10);
  EXPECT_EQ(dearer.create(8, true), 0);
  EXPECT_DOUBLE_EQ(dearer.create(8, false), 90 * us);
}

TEST(Costs, OfCreationGrowWithTheLevelsAsTheStrategyCommunicates) {
  const auto of_two_and_16 = [](const char* strategy, const char* option) {
    const Costs found = costs({{option, "7"}}, strategy);
    return std::pair(found.create(2), found.create(16));
  };
  // These grow with log2 of all 1,024 ranks, with log2 of the g members, and with its square: each
  // of the log2 g rounds of Algorithm 1 forms two communicators of up to g members.
  const std::map<const char*, std::pair<double, double>> expected{
      {"parent_creation_us", {70 * us, 70 * us}},
      {"group_creation_us", {7 * us, 28 * us}},
      {"algorithm1_creation_us", {7 * us, 112 * us}}};
  for (const auto& [strategy, own] : {std::pair("comm_create", "parent_creation_us"),
                                      {"comm_split", "parent_creation_us"},
                                      {"create_group", "group_creation_us"},
                                      {"create_from_group", "group_creation_us"},
                                      {"intercomm_create_from_groups", "group_creation_us"},
                                      {"intercomm_merge", "algorithm1_creation_us"}}) {
    for (const auto& [option, times] : expected) {
      SCOPED_TRACE(std::string(strategy) + ", " + option);
      const bool counts = std::string_view(option) == own;
      EXPECT_EQ(of_two_and_16(strategy, option), counts ? times : std::pair(0.0, 0.0));
    }
    if (std::string_view(own) == "parent_creation_us") continue;
    EXPECT_EQ(costs({{own, "7"}}, strategy).create(1), 0) << strategy;
  }
}

TEST(Costs, OfTheMulticommunicatorAreThreeOfAGroupCollectiveStrategy) {
  const Costs found = costs({{"group_creation_us", "7"}}, "multicommunicator");
  EXPECT_EQ(found.create(1), 0);
  EXPECT_DOUBLE_EQ(found.create(16), 3 * 28 * us);
  // Algorithm 1 takes 13 rounds of 13 steps, more by a factor of O(log p) (paper, section 5.2).
  EXPECT_DOUBLE_EQ(costs({}, "multicommunicator", "cluster").create(8192), 3 * 13 * 5 * us);
  EXPECT_DOUBLE_EQ(costs({}, "intercomm_merge", "cluster").create(8192), 13 * 13 * 5 * us);
}

TEST(Costs, OfStrategiesThatDoNotCommunicateAreNothing) {
  const Options dear{
      {"parent_creation_us", "7"}, {"group_creation_us", "7"}, {"algorithm1_creation_us", "7"}};
  for (const Strategy& strategy : strategies()) {
    if (strategy.local()) {
      EXPECT_EQ(costs(dear, strategy.name).create(16), 0) << strategy.name;
    }
  }
  EXPECT_EQ(costs(dear, "").create(16), 0);
}

TEST(Costs, OfStrategiesThatDoNotCommunicateAreThoseOfTellingWhereThereAreGaps) {
  const RankSet with_gap = RankSet::of({{0, 4}, {8, 10}});
  EXPECT_DOUBLE_EQ(costs({{"tell_members_us", "3"}}, "icreate_group").create(with_gap), 9 * us);
  EXPECT_EQ(costs({{"tell_members_us", "3"}}, "icreate_group").create(RankSet(3, 10)), 0);
}

TEST(Costs, OfOtherStrategiesAreTheSameWithGapsAndWithout) {
  const Options options{
      {"tell_members_us", "3"}, {"group_creation_us", "7"}, {"parent_creation_us", "5"}};
  for (const char* name : {"create_group", "comm_split"}) {
    const Costs found = costs(options, name);
    EXPECT_EQ(found.create(RankSet::of({{0, 4}, {8, 10}})), found.create(8)) << name;
    EXPECT_EQ(found.create(RankSet(3, 10)), found.create(8)) << name;
  }
}

TEST(Costs, AreNothingWhereCommunicationIsFree) {
  const auto are_nothing = [](const Costs& found) {
    EXPECT_LT(found.message(), 1e-16);
    EXPECT_EQ(found.look(), 0);
    EXPECT_EQ(found.tell(1024), 0);
    EXPECT_LT(found.exchange(256), 1e-14);
    EXPECT_EQ(found.create(1024), 0);
  };
  for (const Strategy& strategy : strategies()) are_nothing(costs({}, strategy.name));
  are_nothing(costs_of(with(virtual_run(), {{"costs", ""}})));
}

TEST(CostCurve, IsALineBetweenPointsAndGoesOnBeyondTheLast) {
  const CostCurve curve{{1, 10}, {3, 30}, {4, 50}};
  EXPECT_DOUBLE_EQ(at(curve, 0), 10);  // below the first point: its value
  EXPECT_DOUBLE_EQ(at(curve, 1), 10);
  EXPECT_DOUBLE_EQ(at(curve, 1.5), 15);
  EXPECT_DOUBLE_EQ(at(curve, 3), 30);
  EXPECT_DOUBLE_EQ(at(curve, 3.25), 35);
  EXPECT_DOUBLE_EQ(at(curve, 6), 90);
  EXPECT_EQ(at({{2, 7}}, 1), 7);
  EXPECT_EQ(at({{2, 7}}, 9), 7);
  EXPECT_EQ(at({{1, 10}, {2, 4}}, 5), 0);
}

/// Like costs(), but on nodes of 16 ranks.
Costs on_nodes(const Options& options, std::string_view communicator = "",
               const std::string& order = "packed") {
  Task run = virtual_run({{"ranks", "1024"}, {"ranks_per_node", "16"}, {"rank_order", order}});
  run.run().strategy = strategy(communicator);
  run.run().costs = cost_model("free", options);
  return costs_of(run);
}

TEST(CostsOnNodes, AreAsWithoutWhereInsideIsAsBetween) {
  const Options dear{{"latency_us", "3"},
                     {"bandwidth_mb_s", "2"},
                     {"tell_members_us", "5"},
                     {"exchange_loads_us", "7"},
                     {"parent_creation_us", "11"},
                     {"group_creation_us", "13"},
                     {"algorithm1_creation_us", "17"}};
  for (const char* strategy : {"create_group", "comm_split", "intercomm_merge"}) {
    const Costs plain = costs(dear, strategy);
    const Costs placed = on_nodes(dear, strategy);
    EXPECT_EQ(placed.message(0, 1), plain.message());
    EXPECT_EQ(placed.message(0, 1023), plain.message());
    EXPECT_EQ(placed.exchange(100), plain.exchange(100));
    for (const RankSet& ranks : {RankSet(0, 6), RankSet(10, 200), RankSet(3, 3)}) {
      EXPECT_EQ(placed.tell(ranks), plain.tell(ranks));
      EXPECT_EQ(placed.create(ranks), plain.create(ranks));
      EXPECT_EQ(placed.hand_over(ranks.size(), 1000, true, placed.count(ranks)),
                plain.hand_over(ranks.size(), 1000, true));
    }
  }
}

TEST(CostsOnNodes, OfAMessageAreLessInsideOfOne) {
  const Costs found = on_nodes({{"latency_us", "8"},
                                {"bandwidth_mb_s", "2"},
                                {"intranode_latency_ratio", "0.25"},
                                {"intranode_bandwidth_ratio", "4"}});
  EXPECT_DOUBLE_EQ(found.message(15, 16), (8 + 16) * us);
  EXPECT_DOUBLE_EQ(found.message(0, 15), (2 + 4) * us);
  EXPECT_DOUBLE_EQ(found.message(), (8 + 16) * us);
}

TEST(CostsOnNodes, OfTreesGoBetweenNodesFirst) {
  const Costs found = on_nodes({{"tell_members_us", "4"}, {"intranode_latency_ratio", "0.25"}});
  EXPECT_DOUBLE_EQ(found.tell(RankSet(0, 15)), 4 * us);        // four levels inside a node
  EXPECT_DOUBLE_EQ(found.tell(RankSet(8, 23)), (4 + 3) * us);  // one level between nodes
  EXPECT_DOUBLE_EQ(found.tell(RankSet(0, 63)), (8 + 4) * us);
  EXPECT_DOUBLE_EQ(found.tell(16), found.tell(RankSet(0, 15)));  // the fewest nodes possible
  EXPECT_DOUBLE_EQ(found.tell(32), found.tell(RankSet(0, 31)));
  const Costs turns =
      on_nodes({{"tell_members_us", "4"}, {"intranode_latency_ratio", "0.25"}}, "", "round_robin");
  EXPECT_DOUBLE_EQ(turns.tell(RankSet(0, 15)), 16 * us);
}

TEST(CostsOnNodes, OfCommunicatorsFollowTheirMembersOrAllRanks) {
  const Options dear{{"group_creation_us", "4"},
                     {"parent_creation_us", "4"},
                     {"algorithm1_creation_us", "4"},
                     {"intranode_latency_ratio", "0.5"}};
  EXPECT_DOUBLE_EQ(on_nodes(dear, "create_group").create(RankSet(0, 15)), 8 * us);
  EXPECT_DOUBLE_EQ(on_nodes(dear, "create_group").create(RankSet(0, 31)), 12 * us);
  EXPECT_DOUBLE_EQ(on_nodes(dear, "comm_split").create(RankSet(0, 3)), (6 * 4 + 4 * 2) * us);
  EXPECT_DOUBLE_EQ(on_nodes(dear, "intercomm_merge").create(RankSet(0, 15)), 4 * 8 * us);
}

TEST(CostsOnNodes, OfAnExchangeHaveALeaderOnEveryNode) {
  const Costs found = on_nodes({{"exchange_loads_us", "4"}, {"intranode_latency_ratio", "0.5"}});
  EXPECT_NEAR(found.exchange(64), 24 * us, 1e-12);
  EXPECT_NEAR(found.exchange(256), (24 + 4) * us, 1e-12);
}

TEST(CostsOnNodes, OfAStateAreLessInsideOfOne) {
  const Costs found = on_nodes({{"bandwidth_mb_s", "1"}, {"intranode_bandwidth_ratio", "10"}});
  const double between = found.hand_over(32, 1000, false, 2);
  const double inside = found.hand_over(16, 1000, false, 1);
  EXPECT_NEAR(between - 3 * 5 * found.message(), 2000 * us, 1e-9);
  EXPECT_NEAR(inside - 3 * 4 * found.message(), 200 * us, 1e-9);
}

}  // namespace
}  // namespace regroup::costs_test
