// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <limits>

#include "kernel/starting_groups.hpp"

namespace regroup {
namespace {

using testing::ElementsAre;

TEST(RankRange, CountsBothEnds) {
  EXPECT_EQ((RankRange{3, 3}.size()), 1);
  EXPECT_EQ((RankRange{4, 7}.size()), 4);
  EXPECT_EQ(RankRange{}.size(), 0);
}

TEST(RankRange, ContainsItsEndsAndNothingBeyond) {
  constexpr RankRange range{4, 7};
  EXPECT_TRUE(range.contains(4));
  EXPECT_TRUE(range.contains(7));
  EXPECT_FALSE(range.contains(3));
  EXPECT_FALSE(range.contains(8));
}

TEST(RankRange, ContainsItselfAndItsPartsOnly) {
  constexpr RankRange range{4, 7};
  EXPECT_TRUE(range.contains(range));
  EXPECT_TRUE(range.contains(RankRange{5, 6}));
  EXPECT_FALSE(range.contains(RankRange{3, 5}));
  EXPECT_FALSE(range.contains(RankRange{6, 8}));
}

TEST(InitialGroups, DivideTheRanksEvenlyWhereTheyCan) {
  EXPECT_THAT(initial_groups(8, 4), ElementsAre(RankRange{0, 3}, RankRange{4, 7}));
}

TEST(InitialGroups, HaveASmallerLastOneWhereTheyCannot) {
  EXPECT_THAT(initial_groups(7, 3), ElementsAre(RankRange{0, 2}, RankRange{3, 5}, RankRange{6, 6}));
  EXPECT_THAT(initial_groups(2, 4), ElementsAre(RankRange{0, 1}));
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_THAT(initial_groups(most, most - 1),
              ElementsAre(RankRange{0, most - 2}, RankRange{most - 1, most - 1}));
}

}  // namespace
}  // namespace regroup
