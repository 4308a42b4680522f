// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "kernel/starting_groups.hpp"

namespace regroup::groups_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr int largest = std::numeric_limits<int>::max();

/// 0-3, 8-11 and 17.
const RankSet with_gaps = RankSet::of({{0, 3}, {8, 11}, {17, 17}});

TEST(RankSet, IsNobodyAtFirst) {
  const RankSet nobody;
  EXPECT_TRUE(nobody.empty());
  EXPECT_EQ(nobody.size(), 0);
  EXPECT_TRUE(nobody.is_range());
  EXPECT_THAT(nobody.ranges(), IsEmpty());
}

TEST(RankSet, OfARangeHasItsRanks) {
  for (const RankSet& ranks : {RankSet(4, 7), RankSet(RankRange{4, 7}), RankSet::of({{4, 7}})}) {
    EXPECT_EQ(ranks, RankSet(4, 7));
    EXPECT_EQ(ranks.lo(), 4);
    EXPECT_EQ(ranks.hi(), 7);
    EXPECT_EQ(ranks.size(), 4);
    EXPECT_FALSE(ranks.empty());
    EXPECT_TRUE(ranks.is_range());
    EXPECT_THAT(ranks.ranges(), ElementsAre(RankRange{4, 7}));
  }
}

TEST(RankSet, OfARangeThatIsNoneIsNobody) {
  for (const RankRange range : {RankRange{5, 4}, {5, 2}, {1, std::numeric_limits<int>::min()}}) {
    EXPECT_EQ(RankSet(range), RankSet());
    EXPECT_TRUE(RankSet(range.lo, range.hi).empty());
  }
}

TEST(RankSet, OfRangesKeepsTheGapsBetweenThem) {
  EXPECT_EQ(with_gaps.lo(), 0);
  EXPECT_EQ(with_gaps.hi(), 17);
  EXPECT_EQ(with_gaps.size(), 9);
  EXPECT_FALSE(with_gaps.is_range());
  EXPECT_THAT(with_gaps.ranges(),
              ElementsAre(RankRange{0, 3}, RankRange{8, 11}, RankRange{17, 17}));
}

TEST(RankSet, OfRangesTakesThemInAnyOrder) {
  EXPECT_EQ(RankSet::of({{17, 17}, {0, 3}, {8, 11}}), with_gaps);
}

TEST(RankSet, OfRangesJoinsThoseThatTouchOrOverlap) {
  EXPECT_EQ(RankSet::of({{0, 3}, {4, 7}}), RankSet(0, 7));
  EXPECT_EQ(RankSet::of({{2, 5}, {0, 3}}), RankSet(0, 5));
  EXPECT_EQ(RankSet::of({{0, 9}, {2, 3}, {5, 6}}), RankSet(0, 9));
  EXPECT_EQ(RankSet::of({{0, 3}, {0, 3}}), RankSet(0, 3));
  EXPECT_EQ(RankSet::of({{0, 1}, {8, 9}, {10, 11}, {17, 17}, {2, 3}, {9, 10}}), with_gaps);
}

TEST(RankSet, OfRangesLeavesOutWhatIsNone) {
  EXPECT_EQ(RankSet::of({}), RankSet());
  EXPECT_EQ(RankSet::of({{4, 3}}), RankSet());
  EXPECT_EQ(RankSet::of({{4, 3}, {17, 17}, {8, 11}, {6, 2}, {0, 3}}), with_gaps);
}

TEST(RankSet, DiffersWithItsRanks) {
  EXPECT_NE(RankSet(0, 17), with_gaps);
  EXPECT_NE(RankSet(0, 3), RankSet(0, 4));
  EXPECT_NE(RankSet(0, 3), RankSet());
  EXPECT_NE(RankSet::of({{0, 3}, {8, 10}, {17, 17}}), with_gaps);
  EXPECT_NE(RankSet::of({{0, 3}, {8, 12}, {17, 18}}), with_gaps);
}

TEST(RankSet, IsTheSameAsItsCopy) {
  RankSet copy = with_gaps;
  EXPECT_EQ(copy, with_gaps);
  copy = RankSet(1, 2);
  EXPECT_THAT(with_gaps.ranges(),
              ElementsAre(RankRange{0, 3}, RankRange{8, 11}, RankRange{17, 17}));
}

TEST(RankSet, ContainsItsRanksAndNoOther) {
  const std::set<int> ranks{0, 1, 2, 3, 8, 9, 10, 11, 17};
  for (int rank = -1; rank <= 19; ++rank) {
    EXPECT_EQ(with_gaps.contains(rank), ranks.contains(rank)) << rank;
    EXPECT_EQ(RankSet(8, 11).contains(rank), rank >= 8 && rank <= 11) << rank;
    EXPECT_FALSE(RankSet().contains(rank)) << rank;
  }
}

TEST(RankSet, ContainsSetsOfItsRanks) {
  EXPECT_TRUE(with_gaps.contains(with_gaps));
  EXPECT_TRUE(with_gaps.contains(RankSet(8, 11)));
  EXPECT_TRUE(with_gaps.contains(RankSet::of({{1, 2}, {17, 17}})));
  EXPECT_TRUE(RankSet(0, 17).contains(with_gaps));
  EXPECT_TRUE(with_gaps.contains(RankSet()));
  EXPECT_TRUE(RankSet().contains(RankSet()));
}

TEST(RankSet, ContainsNoSetWithAnotherRank) {
  EXPECT_FALSE(with_gaps.contains(RankSet(0, 17)));
  EXPECT_FALSE(with_gaps.contains(RankSet(3, 8)));
  EXPECT_FALSE(with_gaps.contains(RankSet(7, 11)));
  EXPECT_FALSE(with_gaps.contains(RankSet(8, 12)));
  EXPECT_FALSE(with_gaps.contains(RankSet(5, 6)));
  EXPECT_FALSE(with_gaps.contains(RankSet::of({{1, 2}, {18, 18}})));
  EXPECT_FALSE(RankSet().contains(RankSet(0, 0)));
}

TEST(RankSet, OverlapsWhatHasOneOfItsRanks) {
  for (const RankSet& other :
       {RankSet(3, 7), RankSet(4, 8), RankSet(9, 9), RankSet(0, 20), RankSet(17, 30), with_gaps,
        RankSet::of({{5, 6}, {10, 14}}), RankSet::of({{5, 6}, {12, 12}, {17, 17}})}) {
    EXPECT_TRUE(with_gaps.overlaps(other)) << text_of(other);
    EXPECT_TRUE(other.overlaps(with_gaps)) << text_of(other);
  }
}

TEST(RankSet, OverlapsNothingInItsGaps) {
  for (const RankSet& other : {RankSet(), RankSet(4, 7), RankSet(12, 16), RankSet(18, 20),
                               RankSet::of({{4, 7}, {12, 16}, {18, 18}})}) {
    EXPECT_FALSE(with_gaps.overlaps(other)) << text_of(other);
    EXPECT_FALSE(other.overlaps(with_gaps)) << text_of(other);
  }
}

TEST(RankSet, IsSlicedAsIfItHadNoGaps) {
  EXPECT_EQ(with_gaps.slice(0, 9), with_gaps);
  EXPECT_EQ(with_gaps.slice(0, 4), RankSet(0, 3));
  EXPECT_EQ(with_gaps.slice(0, 2), RankSet(0, 1));
  EXPECT_EQ(with_gaps.slice(4, 4), RankSet(8, 11));
  EXPECT_EQ(with_gaps.slice(2, 4), RankSet::of({{2, 3}, {8, 9}}));
  EXPECT_EQ(with_gaps.slice(3, 6), RankSet::of({{3, 3}, {8, 11}, {17, 17}}));
  EXPECT_EQ(with_gaps.slice(8, 1), RankSet(17, 17));
  EXPECT_EQ(RankSet(4, 7).slice(1, 2), RankSet(5, 6));
}

TEST(RankSet, IsSlicedNoLongerThanItIs) {
  EXPECT_EQ(with_gaps.slice(0, 100), with_gaps);
  EXPECT_EQ(with_gaps.slice(7, 100), RankSet::of({{11, 11}, {17, 17}}));
  EXPECT_EQ(with_gaps.slice(9, 1), RankSet());
  EXPECT_EQ(with_gaps.slice(100, 1), RankSet());
  EXPECT_EQ(with_gaps.slice(3, 0), RankSet());
  EXPECT_EQ(RankSet().slice(0, 1), RankSet());
}

TEST(RankSet, IsUnitedOfOthers) {
  EXPECT_EQ(united(RankSet(0, 3), RankSet(4, 7)), RankSet(0, 7));
  EXPECT_EQ(united(RankSet(17, 17), RankSet::of({{8, 11}, {0, 3}})), with_gaps);
  EXPECT_EQ(united(with_gaps, RankSet(4, 16)), RankSet(0, 17));
  EXPECT_EQ(united(with_gaps, with_gaps), with_gaps);
  EXPECT_EQ(united(with_gaps, RankSet()), with_gaps);
  EXPECT_EQ(united(std::vector<RankSet>{}), RankSet());
  EXPECT_EQ(united(std::vector<RankSet>{{8, 11}, {17, 17}, {0, 1}, {2, 3}}), with_gaps);
}

TEST(RankSet, IsTextAndComesBackFromIt) {
  for (const auto& [ranks, text] : {std::pair(with_gaps, "0-3 8-11 17"),
                                    {RankSet(4, 4), "4"},
                                    {RankSet(4, 5), "4-5"},
                                    {RankSet::of({{1, 1}, {3, 3}}), "1 3"},
                                    {RankSet(0, largest - 1), "0-2147483646"}}) {
    EXPECT_EQ(text_of(ranks), text);
    EXPECT_THAT(rank_set_of(text), Optional(ranks));
  }
  EXPECT_EQ(text_of(RankSet()), "");
}

TEST(RankSet, IsNotReadFromWhatIsNoSuchText) {
  for (const char* text :
       {"",      " ",    "-",   "a",          "0-3 ",         " 0-3",       "0-3  8", "0-3,8",
        "0-",    "0- 3", "-3",  "0--3",       "+1",           "1.5",        "3-0",    "3-3",
        "0-3-5", "0x1",  "4\n", "2147483647", "0-2147483647", "99999999999"}) {
    EXPECT_EQ(rank_set_of(text), std::nullopt) << text;
  }
}

TEST(RankSet, IsNotReadFromRangesOutOfOrderOrWithoutAGap) {
  for (const char* text : {"8 0-3", "0-3 2-5", "0-3 3", "0-3 4-7", "1 2", "1 1", "0-9 2-3"}) {
    EXPECT_EQ(rank_set_of(text), std::nullopt) << text;
  }
}

TEST(RankSet, IsMembersInAscendingOrder) {
  EXPECT_EQ(members_of(with_gaps), Members::list({0, 1, 2, 3, 8, 9, 10, 11, 17}));
  EXPECT_EQ(members_of(RankSet(4, 7)), Members(RankRange{4, 7}));
  EXPECT_TRUE(members_of(RankSet(4, 7)).is_range());
  EXPECT_TRUE(members_of(RankSet()).empty());
}

TEST(RankSet, IsARangeOfMembersWhereItsGapsAreEqual) {
  EXPECT_EQ(members_of(RankSet::of({{1, 1}, {4, 4}, {7, 7}})), Members::range(1, 3, 3));
}

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

TEST(NodeMismatch, IsWhatTakesMoreNodesOrPutsMoreOnOne) {
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
}  // namespace regroup::groups_test
