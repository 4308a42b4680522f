// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/patterns.hpp"

#include <gtest/gtest.h>

#include <set>

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

}  // namespace
}  // namespace regroup
