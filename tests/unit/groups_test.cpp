// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <ranges>
#include <vector>

#include "kernel/starting_groups.hpp"

namespace regroup::groups_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr int largest = std::numeric_limits<int>::max();

const RankSet with_gaps = RankSet::of({{0, 3}, {8, 11}, {17, 17}});

/// Returns the ranks whose bits are set.
RankSet set_of(unsigned bits) {
  std::vector<RankRange> ranks;
  for (int rank = 0; rank < 6; ++rank) {
    if ((bits >> rank & 1) != 0) ranks.push_back({rank, rank});
  }
  return RankSet::of(ranks);
}

TEST(RankSet, IsASetInAscendingOrder) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    const RankSet set = set_of(bits);
    SCOPED_TRACE(text_of(set));
    std::vector<int> ranks;
    for (int rank = -1; rank <= 6; ++rank) {
      const bool is_member = rank >= 0 && (bits >> rank & 1) != 0;
      EXPECT_EQ(set.contains(rank), is_member) << rank;
      if (is_member) ranks.push_back(rank);
    }
    EXPECT_EQ(set.size(), std::ssize(ranks));
    EXPECT_EQ(set.empty(), ranks.empty());
    EXPECT_EQ(set.is_range(), ranks.empty() || ranks.back() - ranks.front() == set.size() - 1);
    EXPECT_EQ(members_of(set), Members::list(ranks));
    if (!ranks.empty()) {
      EXPECT_EQ(set.lo(), ranks.front());
      EXPECT_EQ(set.hi(), ranks.back());
      EXPECT_THAT(rank_set_of(text_of(set)), Optional(set));
    }
    for (int skipped = 0; skipped <= 7; ++skipped) {
      for (int count = 0; count <= 7; ++count) {
        std::vector<RankRange> slice;
        for (const int rank : ranks | std::views::drop(skipped) | std::views::take(count)) {
          slice.push_back({rank, rank});
        }
        EXPECT_EQ(set.slice(skipped, count), RankSet::of(slice)) << skipped << ", " << count;
      }
    }
  }
}

TEST(RankSet, IsComparedAndUnitedWithOthers) {
  for (unsigned one = 0; one < 64; ++one) {
    const RankSet set = set_of(one);
    for (unsigned other = 0; other < 64; ++other) {
      const RankSet others = set_of(other);
      SCOPED_TRACE(text_of(set) + " and " + text_of(others));
      EXPECT_EQ(set == others, one == other);
      EXPECT_EQ(set.contains(others), (one & other) == other);
      EXPECT_EQ(set.overlaps(others), (one & other) != 0);
      EXPECT_EQ(united(set, others), set_of(one | other));
    }
  }
  EXPECT_EQ(united(std::vector<RankSet>{}), RankSet());
  EXPECT_EQ(united(std::vector<RankSet>{{8, 11}, {17, 17}, {0, 1}, {2, 3}}), with_gaps);
}

TEST(RankSet, OfARangeThatIsNoneIsNobody) {
  for (const RankRange range : {RankRange{5, 4}, {5, 2}, {1, std::numeric_limits<int>::min()}}) {
    EXPECT_EQ(RankSet(range), RankSet());
    EXPECT_TRUE(RankSet(range.lo, range.hi).empty());
  }
}

TEST(RankSet, OfRangesKeepsTheGapsBetweenThem) {
  EXPECT_THAT(with_gaps.ranges(),
              ElementsAre(RankRange{0, 3}, RankRange{8, 11}, RankRange{17, 17}));
  EXPECT_THAT(RankSet(4, 7).ranges(), ElementsAre(RankRange{4, 7}));
  EXPECT_THAT(RankSet().ranges(), IsEmpty());
}

TEST(RankSet, OfRangesJoinsThoseThatTouchOrOverlapAndLeavesOutWhatIsNone) {
  EXPECT_EQ(RankSet::of({{0, 3}, {4, 7}}), RankSet(0, 7));
  EXPECT_EQ(RankSet::of({{2, 5}, {0, 3}}), RankSet(0, 5));
  EXPECT_EQ(RankSet::of({{0, 9}, {2, 3}, {5, 6}}), RankSet(0, 9));
  EXPECT_EQ(RankSet::of({{0, 3}, {0, 3}}), RankSet(0, 3));
  EXPECT_EQ(RankSet::of({{0, 1}, {8, 9}, {10, 11}, {17, 17}, {2, 3}, {9, 10}}), with_gaps);
  EXPECT_EQ(RankSet::of({}), RankSet());
  EXPECT_EQ(RankSet::of({{4, 3}}), RankSet());
  EXPECT_EQ(RankSet::of({{4, 3}, {17, 17}, {8, 11}, {6, 2}, {0, 3}}), with_gaps);
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

TEST(RankSet, IsARangeOfMembersWhereItsGapsAreEqual) {
  EXPECT_EQ(members_of(RankSet::of({{1, 1}, {4, 4}, {7, 7}})), Members::range(1, 3, 3));
}

TEST(RankRange, HasItsEndsAndNothingBeyond) {
  constexpr RankRange range{4, 7};
  EXPECT_EQ(range.size(), 4);
  EXPECT_EQ(RankRange{}.size(), 0);
  for (int lo = 3; lo <= 8; ++lo) {
    EXPECT_EQ(range.contains(lo), lo >= 4 && lo <= 7) << lo;
    for (int hi = lo; hi <= 8; ++hi) {
      EXPECT_EQ(range.contains(RankRange{lo, hi}), lo >= 4 && hi <= 7) << lo << '-' << hi;
    }
  }
}

TEST(InitialGroups, DivideTheRanksEvenlyButForTheLast) {
  EXPECT_THAT(initial_groups(8, 4), ElementsAre(RankRange{0, 3}, RankRange{4, 7}));
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

TEST(Members, OfAListInEqualStepsAreARange) {
  EXPECT_EQ(Members::list({2, 5, 8}), Members::range(2, 3, 3));
  EXPECT_TRUE(Members::list({2, 5, 8}).is_range());
  EXPECT_EQ(Members::range(3, 1, 5), Members::list({3}));
  EXPECT_EQ(Members::range(3, 1, 5), Members(RankRange{3, 3}));
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
  EXPECT_THAT(node_mismatch(4, 8, 3, 4), testing::HasSubstr("placed them on 3, up to 4 on one"));
  EXPECT_THAT(node_mismatch(4, 8, 2, 5), testing::HasSubstr("up to 5"));
  EXPECT_THAT(node_mismatch(4, 8, 1, 8), testing::HasSubstr("placed them on 1"));
  EXPECT_THAT(node_mismatch(4, 4, 2, 2), testing::HasSubstr("on 1 node,"));
}

}  // namespace
}  // namespace regroup::groups_test
