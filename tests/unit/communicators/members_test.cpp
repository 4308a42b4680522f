// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "regroup/groups.hpp"

namespace regroup {
namespace {

std::vector<int> ranks_of(const Members& members) {
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  return ranks;
}

TEST(Members, OfARangeFollowItsSteps) {
  EXPECT_EQ(ranks_of(Members::range(2, 4, 3)), (std::vector<int>{2, 5, 8, 11}));
  EXPECT_EQ(ranks_of(RankRange{4, 7}), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(Members::range(2, 4, 3).stride(), 3);
  EXPECT_TRUE(Members().empty());
}

TEST(Members, OfOneRankAreAlikeWhateverTheStride) {
  EXPECT_EQ(Members::range(3, 1, 5), Members::list({3}));
  EXPECT_EQ(Members::range(3, 1, 5), Members(RankRange{3, 3}));
}

TEST(Members, OfAListInEqualStepsAreARange) {
  EXPECT_EQ(Members::list({2, 5, 8}), Members::range(2, 3, 3));
  EXPECT_TRUE(Members::list({2, 5, 8}).is_range());
}

TEST(Members, OfAnyOtherListKeepTheirOrder) {
  for (const std::vector<int>& ranks :
       {std::vector<int>{8, 5, 2}, {2, 5, 9}, {2, 5, 8, 12}, {3, 0}, {5, 6, 4}}) {
    EXPECT_FALSE(Members::list(ranks).is_range());
    EXPECT_EQ(ranks_of(Members::list(ranks)), ranks);
  }
}

TEST(Members, HaveAPlaceEachAndNobodyElseHas) {
  for (const Members& members : {Members::range(2, 4, 3), Members(RankRange{4, 7}),
                                 Members::range(0, 3, 2), Members::list({9, 2, 5, 1})}) {
    for (int place = 0; place < members.size(); ++place) {
      EXPECT_EQ(members.index_of(members[place]), place);
    }
    const std::vector<int> ranks = ranks_of(members);
    for (int rank = -6; rank < 20; ++rank) {
      if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end()) {
        EXPECT_EQ(members.index_of(rank), -1) << rank;
      }
    }
  }
}

}  // namespace
}  // namespace regroup
