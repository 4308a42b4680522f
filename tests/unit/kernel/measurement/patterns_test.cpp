// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "regroup/measurement.hpp"

namespace regroup {
namespace {

std::vector<Layer> layers(std::string_view pattern, int ranks, int group_size) {
  return find_entry(patterns(), pattern)->layers(ranks, group_size, 1);
}

TEST(Patterns, HaveLayersOfDisjointGroupsAmongTheRanks) {
  for (const Pattern& pattern : patterns()) {
    for (int ranks = 1; ranks <= 20; ++ranks) {
      SCOPED_TRACE(std::string(pattern.name) + ", " + std::to_string(ranks));
      const int own = pattern.own_size(ranks);
      for (const Layer& layer : pattern.layers(ranks, own != 0 ? own : (ranks + 2) / 3, 7)) {
        std::set<int> seen;
        for (const Members& group : layer) {
          EXPECT_FALSE(group.empty());
          for (int place = 0; place < group.size(); ++place) {
            EXPECT_TRUE(seen.insert(group[place]).second);
            EXPECT_GE(group[place], 0);
            EXPECT_LT(group[place], ranks);
          }
        }
      }
    }
  }
}

TEST(Patterns, CascadedFormsOverlappingGroupsOneAfterTheOther) {
  const std::vector<Layer> expected{
      {Members::range(0, 4)}, {Members::range(3, 4)}, {Members::range(6, 2)}};
  EXPECT_EQ(layers("cascaded", 8, 4), expected);
}

TEST(Patterns, AlternatingFormsTheSameGroupsInTwoSteps) {
  const std::vector<Layer> expected{{Members::range(0, 4), Members::range(6, 2)},
                                    {Members::range(3, 4)}};
  EXPECT_EQ(layers("alternating", 8, 4), expected);
}

TEST(Patterns, HalvesLeaveTheOddRankToTheFirst) {
  const std::vector<Layer> expected{{Members::range(0, 3), Members::range(3, 2)}};
  EXPECT_EQ(layers("halves", 5, 3), expected);
}

TEST(Patterns, RandomSubsetDependsOnTheSeedOnly) {
  const Pattern& random = *find_entry(patterns(), "random_subset");
  EXPECT_EQ(random.layers(64, 8, 1), random.layers(64, 8, 1));
  EXPECT_NE(random.layers(64, 8, 1), random.layers(64, 8, 2));
  EXPECT_EQ(random.layers(64, 8, 1).front().front().size(), 8);
}

std::vector<Layer> on(const std::vector<int>& nodes, std::string_view pattern, int group_size) {
  return find_entry(patterns(), pattern)
      ->on_nodes(NodeMap(nodes), static_cast<int>(nodes.size()), group_size);
}

TEST(Patterns, WithinNodeTakesAllThatFillAGroupOnEachNode) {
  const std::vector<Layer> expected{
      {Members::list({0, 2}), Members::list({4, 6}), Members::list({1, 3})}};
  EXPECT_EQ(on({0, 1, 0, 1, 0, 1, 0}, "within_node", 2), expected);
  EXPECT_TRUE(on({0, 1, 0, 1}, "within_node", 3).empty());
}

TEST(Patterns, AcrossNodesTakesEveryMemberFromAnotherNode) {
  const std::vector<Layer> expected{
      {Members::list({0, 3}), Members::list({1, 4}), Members::list({2, 5})}};
  EXPECT_EQ(on({0, 0, 0, 1, 1, 1}, "across_nodes", 2), expected);
  EXPECT_TRUE(on({0, 0, 0, 1, 1, 1}, "across_nodes", 3).empty());
}

TEST(Patterns, AcrossNodesOfDifferentSizesLeaveAsFewAsCanBe) {
  const std::vector<Layer> layers = on({0, 0, 1, 1, 2, 2}, "across_nodes", 2);
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers.front().size(), 3u);
  EXPECT_EQ(on({0, 0, 0, 0, 1, 2}, "across_nodes", 2).front().size(), 2u);
}

TEST(Patterns, OnNodesAreOfDisjointGroupsAndNoRankIsWithAnotherThatItShouldNotBeWith) {
  for (const std::vector<int>& nodes :
       {std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1}, {0, 0, 0, 1, 1, 2, 2, 2, 2}, {0, 1, 2, 3}}) {
    const NodeMap map(nodes);
    for (const Pattern& pattern : patterns()) {
      if (pattern.on_nodes == nullptr) continue;
      for (int size = 1; size <= 4; ++size) {
        std::set<int> seen;
        for (const Layer& layer : pattern.on_nodes(map, static_cast<int>(nodes.size()), size)) {
          for (const Members& group : layer) {
            std::set<int> used;
            EXPECT_EQ(group.size(), size);
            for (int place = 0; place < size; ++place) {
              EXPECT_TRUE(seen.insert(group[place]).second);
              used.insert(map.of(group[place]));
            }
            EXPECT_EQ(static_cast<int>(used.size()), pattern.name == "within_node" ? 1 : size);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace regroup
