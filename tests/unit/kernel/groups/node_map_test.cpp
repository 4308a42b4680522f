// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "regroup/groups.hpp"

namespace regroup {
namespace {

TEST(NodeMap, TakesAllRanksToBeOnOneNodeWhereNobodyKnows) {
  const NodeMap map;
  EXPECT_FALSE(map.known());
  EXPECT_EQ(map.of(17), 0);
  EXPECT_EQ(map.count({0, 1000}), 1);
  EXPECT_EQ(map.fewest(1000), 1);
  EXPECT_FALSE(map.across({0, 1000}));
}

TEST(NodeMap, CountsNodesRanksAndWhoIsOnWhich) {
  const NodeMap map({0, 0, 0, 1, 1});
  EXPECT_TRUE(map.known());
  EXPECT_EQ(map.nodes(), 2);
  EXPECT_EQ(map.most_ranks(), 3);
  EXPECT_EQ(map.of(2), 0);
  EXPECT_EQ(map.of(3), 1);
  EXPECT_EQ(map.fewest(3), 1);
  EXPECT_EQ(map.fewest(4), 2);
  EXPECT_EQ(map.fewest(5), 2);
}

TEST(NodeMap, CountsTheNodesOfAnyRanksWhateverTheirOrder) {
  const std::vector<std::vector<int>> maps{{0, 0, 1, 1, 2, 2, 3, 3},
                                           {0, 1, 2, 3, 0, 1, 2, 3},
                                           {0, 1, 0, 2, 1, 3, 2, 3},
                                           {0, 0, 0, 0, 0, 1, 1, 2},
                                           {0, 0, 0, 0, 0, 0, 0, 0}};
  for (const auto& nodes : maps) {
    const NodeMap map(nodes);
    for (int bits = 1; bits < 1 << 8; ++bits) {
      std::vector<RankRange> ranks;
      std::vector<bool> seen(8, false);
      for (int rank = 0; rank < 8; ++rank) {
        if ((bits >> rank & 1) == 0) continue;
        ranks.push_back({rank, rank});
        seen[static_cast<std::size_t>(nodes[static_cast<std::size_t>(rank)])] = true;
      }
      const auto used = std::ranges::count(seen, true);
      EXPECT_EQ(map.count(RankSet::of(ranks)), used) << testing::PrintToString(nodes) << bits;
      EXPECT_EQ(map.across(RankSet::of(ranks)), used > 1);
    }
  }
}

TEST(NodesFor, AreTheFewestThatHaveRoom) {
  EXPECT_EQ(nodes_for(1, 4), 1);
  EXPECT_EQ(nodes_for(4, 4), 1);
  EXPECT_EQ(nodes_for(5, 4), 2);
  EXPECT_EQ(nodes_for(8, 4), 2);
}

TEST(UnlikeAsked, IsWhatTakesMoreNodesOrPutsMoreOnOne) {
  EXPECT_EQ(node_mismatch(0, 8, 3, 6), "");
  EXPECT_EQ(node_mismatch(4, 8, 2, 4), "");
  EXPECT_EQ(node_mismatch(4, 10, 3, 4), "");
  EXPECT_EQ(node_mismatch(8, 3, 1, 3), "");
  EXPECT_THAT(node_mismatch(4, 8, 3, 4), testing::HasSubstr("on 2 nodes"));
  EXPECT_THAT(node_mismatch(4, 8, 3, 4), testing::HasSubstr("put them on 3, up to 4 on one"));
  EXPECT_THAT(node_mismatch(4, 8, 2, 5), testing::HasSubstr("up to 5"));
  EXPECT_THAT(node_mismatch(4, 8, 1, 8), testing::HasSubstr("put them on 1"));
  EXPECT_THAT(node_mismatch(4, 4, 2, 2), testing::HasSubstr("on 1 node,"));
}

}  // namespace
}  // namespace regroup
