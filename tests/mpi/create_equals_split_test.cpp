// SPDX-License-Identifier: BSD-3-Clause
//
// What the MPI standard says of MPI_Comm_create, MPI_Comm_create_group and MPI_Comm_split (MPI 4.1,
// "Communicator Constructors"), and what our strategies rest on.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "regroup/communicator.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

class CreateEqualsSplit : public testing::Test {
 protected:
  CommHandle create(const Members& members) {
    const GroupHandle group = group_of(MPI_COMM_WORLD, members);
    return create(group.get());
  }
  CommHandle create(MPI_Group group) {
    return made([&](MPI_Comm* comm) { MPI_Comm_create(MPI_COMM_WORLD, group, comm); });
  }
  CommHandle create_group(const Members& members) {
    const GroupHandle group = group_of(MPI_COMM_WORLD, members);
    return made(
        [&](MPI_Comm* comm) { MPI_Comm_create_group(MPI_COMM_WORLD, group.get(), 3, comm); });
  }
  CommHandle split(int colour, int key) {
    return made([&](MPI_Comm* comm) { MPI_Comm_split(MPI_COMM_WORLD, colour, key, comm); });
  }

  /// The two have the same processes in the same order, and are not the same communicator; or both
  /// are none.
  static void expect_congruent(const CommHandle& one, const CommHandle& other) {
    ASSERT_EQ(static_cast<bool>(one), static_cast<bool>(other));
    if (!one) return;
    int alike = MPI_UNEQUAL;
    MPI_Comm_compare(one.get(), other.get(), &alike);
    EXPECT_EQ(alike, MPI_CONGRUENT);
  }

  static int rank_in(const CommHandle& comm) {
    int place = -1;
    MPI_Comm_rank(comm.get(), &place);
    return place;
  }
  static int size_of(const CommHandle& comm) {
    int size = 0;
    MPI_Comm_size(comm.get(), &size);
    return size;
  }

  const int rank = world().rank;
  const int ranks = world().ranks;

 private:
  template <class Make>
  CommHandle made(Make make) {
    MPI_Comm comm = MPI_COMM_NULL;
    world().waiter.blocking([&] { make(&comm); });
    return CommHandle(comm, count_);
  }

  CommunicatorCount count_;
};

TEST_F(CreateEqualsSplit, WithTheGroupAsColourAndThePlaceInItAsKey) {
  // The even ranks, downwards; the others join nothing.
  std::vector<int> even;
  for (int member = 0; member < ranks; member += 2) even.insert(even.begin(), member);
  const Members members = Members::list(even);
  const int place = members.index_of(rank);
  const CommHandle split_off = split(place < 0 ? MPI_UNDEFINED : 7, place);
  expect_congruent(create(members), split_off);
  if (place >= 0) expect_congruent(create_group(members), split_off);
}

TEST_F(CreateEqualsSplit, AlsoForSeveralDisjointGroupsInOneCall) {
  for (const int groups : {2, 3, 4}) {
    SCOPED_TRACE(groups);
    const int mine = rank % groups;
    std::vector<int> ranks_of_mine;
    for (int member = mine; member < ranks; member += groups) ranks_of_mine.push_back(member);
    // Every second group is turned round.
    if (mine % 2 == 1) std::ranges::reverse(ranks_of_mine);
    const Members members = Members::list(ranks_of_mine);
    const CommHandle split_off = split(mine, members.index_of(rank));
    expect_congruent(create(members), split_off);
    expect_congruent(create_group(members), split_off);
  }
}

TEST_F(CreateEqualsSplit, AlsoWhereSomeRanksNameNoGroupOrOneWithoutThemselves) {
  const Members first = Members::range(0, (ranks + 1) / 2);
  const bool joins = first.index_of(rank) >= 0;
  const CommHandle split_off = split(joins ? 0 : MPI_UNDEFINED, rank);
  expect_congruent(create(first), split_off);
  expect_congruent(create(joins ? first : Members()), split_off);
}

TEST_F(CreateEqualsSplit, AnEmptyGroupOnAllRanksGivesNobodyACommunicator) {
  EXPECT_FALSE(create(MPI_GROUP_EMPTY));
  EXPECT_FALSE(create(Members()));
  EXPECT_FALSE(split(MPI_UNDEFINED, 0));
}

TEST_F(CreateEqualsSplit, AnEmptyGroupOnSomeRanksLeavesTheOthersTheirs) {
  const bool last = rank == ranks - 1;
  const CommHandle comm = create(last ? Members::range(rank, 1) : Members());
  EXPECT_EQ(static_cast<bool>(comm), last);
  if (last) {
    EXPECT_EQ(size_of(comm), 1);
  }
}

TEST_F(CreateEqualsSplit, EqualKeysAreOrderedByRankInTheParent) {
  const CommHandle same = split(0, 5);
  EXPECT_EQ(rank_in(same), rank);
  // Pairs of equal keys, which fall: the last pair comes first, and in it the lower rank.
  const CommHandle pairs = split(0, -(rank / 2));
  std::vector<int> order;
  for (int pair = (ranks - 1) / 2; pair >= 0; --pair) {
    for (int member = 2 * pair; member < std::min(2 * pair + 2, ranks); ++member) {
      order.push_back(member);
    }
  }
  EXPECT_EQ(order[static_cast<std::size_t>(rank_in(pairs))], rank);
}

TEST_F(CreateEqualsSplit, KeysMayBeNegativeAndAsLargeAsAnIntAndNeedNotFollowOneAnother) {
  EXPECT_EQ(rank_in(split(0, -rank)), ranks - 1 - rank);
  EXPECT_EQ(rank_in(split(0, std::numeric_limits<int>::max() - rank)), ranks - 1 - rank);
  EXPECT_EQ(rank_in(split(0, std::numeric_limits<int>::min() + 1000 * rank)), rank);
  // Extremes in one call: the even ranks after the odd ones.
  const bool even = rank % 2 == 0;
  const int key = even ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
  const int odd_ranks = ranks / 2;
  EXPECT_EQ(rank_in(split(0, key)), even ? odd_ranks + rank / 2 : rank / 2);
}

TEST_F(CreateEqualsSplit, ColoursMayBeAnyNumberThatIsNotNegative) {
  const int colour = rank % 2 == 0 ? 0 : std::numeric_limits<int>::max();
  EXPECT_EQ(size_of(split(colour, 0)), rank % 2 == 0 ? (ranks + 1) / 2 : ranks / 2);
}

TEST_F(CreateEqualsSplit, AnUndefinedColourGivesNothingAndDisturbsNobody) {
  const bool first = rank == 0;
  const CommHandle comm = split(first ? MPI_UNDEFINED : 0, rank);
  EXPECT_EQ(static_cast<bool>(comm), !first);
  if (!first) {
    EXPECT_EQ(size_of(comm), ranks - 1);
    EXPECT_EQ(rank_in(comm), rank - 1);
  }
}

}  // namespace
}  // namespace regroup
