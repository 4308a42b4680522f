// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rank_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace regroup {
namespace {

using testing::ElementsAre;

const std::vector<int> mixed{0, 1, 0, 2, 1, 0};  // the nodes of six ranks

TEST(RankOrder, OfTheLauncherIsAsItIs) {
  EXPECT_THAT(in_order("launcher", mixed, 1), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(RankOrder, PackedIsNodeAfterNode) {
  EXPECT_THAT(in_order("packed", mixed, 1), ElementsAre(0, 2, 5, 1, 4, 3));
}

TEST(RankOrder, RoundRobinTakesOneOfEachNodeInTurns) {
  EXPECT_THAT(in_order("round_robin", mixed, 1), ElementsAre(0, 1, 3, 2, 4, 5));
}

TEST(RankOrder, OfNobodyIsEmpty) {
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

/// The nodes of ranks that are numbered anew.
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
}  // namespace regroup
