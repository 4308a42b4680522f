// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/starting_groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernel/rank_order.hpp"

namespace regroup::starting_groups_test {
namespace {

using testing::ElementsAre;

const std::string three = "0-3 9/4-7/8 10-11";

TEST(StartingGroups, AreReadFromTheirTextAndToldInIt) {
  const StartingGroups groups = StartingGroups::from(three);
  EXPECT_EQ(groups.ranks(), 12);
  EXPECT_EQ(groups.largest(), 5);
  EXPECT_EQ(groups.smallest(), 3);
  EXPECT_THAT(
      std::vector<RankSet>(groups.begin(), groups.end()),
      ElementsAre(RankSet::of({{0, 3}, {9, 9}}), RankSet(4, 7), RankSet::of({{8, 8}, {10, 11}})));
  EXPECT_EQ(text_of(groups), three);
  EXPECT_EQ(text_of(StartingGroups::from("4/0-3 5")), "0-3 5/4");
}

TEST(StartingGroups, HaveEachRankOnce) {
  for (const char* text : {"", "/", "0-3/", "/0-3", "0-3/3-4", "0-3/5", "1-3", "0-3/4-7 6",
                           "0-3//4", "a", "0-3, 4", "0--1", "-1", "0-16777216", "0-3/4-3"}) {
    EXPECT_THROW(StartingGroups::from(text), std::invalid_argument) << text;
  }
}

TEST(StartingGroups, KnowWhereARankIs) {
  const StartingGroups groups = StartingGroups::from(three);
  EXPECT_EQ(groups.index_of(0), 0u);
  EXPECT_EQ(groups.index_of(9), 0u);
  EXPECT_EQ(groups.index_of(7), 1u);
  EXPECT_EQ(groups.index_of(11), 2u);
}

TEST(StartingGroups, KnowTheFirstThatIsNoRange) {
  const StartingGroups groups = StartingGroups::from("0/1 3/2 4");
  ASSERT_NE(groups.with_gap(), nullptr);
  EXPECT_EQ(*groups.with_gap(), groups[1]);
  EXPECT_EQ(StartingGroups::equal(7, 3).with_gap(), nullptr);
}

TEST(EvenGroups, HaveEachRankOnceAndSizesThatDifferByAtMostOne) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (int number = 1; number <= ranks; ++number) {
      const StartingGroups groups(even_groups(ranks, number));
      EXPECT_EQ(groups.size(), static_cast<std::size_t>(number));
      EXPECT_EQ(groups.ranks(), ranks);
      EXPECT_LE(groups.largest() - groups.smallest(), 1);
      EXPECT_EQ(text_of(StartingGroups::from(text_of(groups))), text_of(groups));
    }
  }
  EXPECT_EQ(text_of(StartingGroups(even_groups(8, 3))), "0-2/3-5/6-7");
}

TEST(EvenGroups, NameWalkersByTheirLowestRanks) {
  const WalkerNames names = StartingGroups(even_groups(8, 3)).names();
  std::vector<int> all;
  for (std::size_t walker = 0; walker < 5; ++walker) {
    all.push_back(names.name(walker));
    EXPECT_EQ(names.number(all.back()), static_cast<int>(walker));
  }
  EXPECT_THAT(all, ElementsAre(0, 3, 6, 8, 11));
}

TEST(NumberOfGroups, IsNoRank) {
  EXPECT_EQ(number_of_groups("6"), 6);
  for (const char* text : {"0", "-1", "", "0-3/4-7", "0 1", "6.0", "6/7", "99999999999"}) {
    EXPECT_EQ(number_of_groups(text), std::nullopt) << text;
  }
}

TEST(WalkerNames, AreThoseOfLowestRanksAndGoOnAsThoughThereWereMoreGroups) {
  const WalkerNames names = StartingGroups::from(three).names();
  std::vector<int> all;
  for (std::size_t walker = 0; walker < 7; ++walker) all.push_back(names.name(walker));
  EXPECT_THAT(all, ElementsAre(0, 4, 8, 12, 16, 20, 24));
  EXPECT_EQ(names.turn(), 12);
  const WalkerNames uneven = StartingGroups::from("0-2/3/4-9").names();
  EXPECT_EQ(uneven.name(1), 3);
  EXPECT_EQ(uneven.name(5), 14);
}

TEST(WalkerNames, AreMultiplesWhereGroupsAreEqual) {
  const WalkerNames names = StartingGroups::equal(7, 3).names();  // the last group has one rank
  EXPECT_EQ(names.groups(), 3);
  EXPECT_EQ(names.turn(), 9);
  for (int walker = 0; walker < 10; ++walker) {
    EXPECT_EQ(names.name(static_cast<std::size_t>(walker)), 3 * walker);
  }
}

TEST(WalkerNames, TellTheNumberOfAWalker) {
  for (const StartingGroups& groups :
       {StartingGroups::from(three), StartingGroups::from("0-2/3/4-9"), StartingGroups::equal(7, 3),
        StartingGroups::from("0-6"), StartingGroups::equal(2, 4)}) {
    for (int walker = 0; walker < 20; ++walker) {
      EXPECT_EQ(groups.names().number(groups.names().name(static_cast<std::size_t>(walker))),
                walker);
    }
  }
}

TEST(WalkerNames, FitIntoNumbersOfRanks) {
  for (const auto& [names, most] : {std::pair(WalkerNames::multiples(3, 1 << 20), 2047u),
                                    std::pair(WalkerNames({0, 9}, 1 << 20), 2 * 2047u)}) {
    EXPECT_EQ(names.most(), most);
    EXPECT_EQ(names.name(most - 1) / (1 << 20), 2046);
  }
}

const std::vector<int> mixed{0, 1, 0, 2, 1, 0};  // the nodes of six ranks

TEST(RankOrder, IsOfTheLauncherPackedOrInTurns) {
  EXPECT_THAT(in_order("launcher", mixed, 1), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(in_order("packed", mixed, 1), ElementsAre(0, 2, 5, 1, 4, 3));
  EXPECT_THAT(in_order("round_robin", mixed, 1), ElementsAre(0, 1, 3, 2, 4, 5));
  for (const auto order : order_words) EXPECT_TRUE(in_order(order, {}, 1).empty());
}

TEST(RankOrder, RandomIsDrawnByTheSeedAlone) {
  const std::vector<int> nodes = simulated_nodes(64, 8, "packed", 1);
  const std::vector<int> drawn = in_order("random", nodes, 1);
  EXPECT_EQ(drawn, in_order("random", nodes, 1));
  EXPECT_NE(drawn, in_order("random", nodes, 2));
  std::vector<int> all = drawn;
  std::ranges::sort(all);
  std::vector<int> expected(64);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
  EXPECT_NE(drawn, expected);
}

/// Returns the nodes of ranks that are renumbered by `order`.
std::vector<int> along(const std::vector<int>& order, const std::vector<int>& nodes) {
  std::vector<int> result;
  for (const int rank : order) result.push_back(nodes[static_cast<std::size_t>(rank)]);
  return result;
}

TEST(RankOrder, RandomDoesNotDependOnHowTheLauncherNumberedThem) {
  const std::vector<int> packed{0, 0, 0, 1, 1, 1, 2, 2, 2};
  const std::vector<int> in_turns{0, 1, 2, 0, 1, 2, 0, 1, 2};
  EXPECT_EQ(along(in_order("random", packed, 5), packed),
            along(in_order("random", in_turns, 5), in_turns));
}

TEST(SimulatedNodes, AreFilledOneAfterTheOther) {
  EXPECT_THAT(simulated_nodes(5, 2, "launcher", 1), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(simulated_nodes(5, 2, "packed", 1), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(simulated_nodes(5, 2, "round_robin", 1), ElementsAre(0, 1, 2, 0, 1));
  EXPECT_THAT(simulated_nodes(5, 2, "random", 1), testing::UnorderedElementsAre(0, 0, 1, 1, 2));
}

}  // namespace
}  // namespace regroup::starting_groups_test
