// SPDX-License-Identifier: BSD-3-Clause
//
// The multicommunicator of Dinan et al., EuroMPI 2011, section 5.2, whose members alone make it.
#include "communicators/multicommunicator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "tests/mpi/strategy_fixture.hpp"

namespace regroup {
namespace {

class MulticommunicatorTest : public testing::Test {
 protected:
  static constexpr int tag = 5;

  /// Merged by its members, which alone call.
  CommHandle merged(const std::vector<Members>& groups) {
    CommHandle comm;
    world().waiter.blocking([&] { comm = Multicommunicator(parent_, groups, tag).merge(); });
    return comm;
  }

  /// All ranks of the world from the last to the first, in groups of `size`.
  static std::vector<Members> backwards(int size) {
    std::vector<Members> groups;
    for (int last = world().ranks - 1; last >= 0; last -= size) {
      std::vector<int> ranks;
      for (int rank = last; rank >= 0 && rank > last - size; --rank) ranks.push_back(rank);
      groups.push_back(Members::list(ranks));
    }
    return groups;
  }

  Site parent_{MPI_COMM_WORLD, world().waiter};
};

TEST_F(MulticommunicatorTest, OfAnyNumberOfGroupsIsMergedInTheirOrder) {
  std::vector<int> all;
  for (int rank = world().ranks - 1; rank >= 0; --rank) all.push_back(rank);
  for (int size = 1; size <= world().ranks; ++size) {
    const CommHandle comm = merged(backwards(size));
    EXPECT_EQ(ranks_of(comm.get()), all) << "in groups of " << size;
    EXPECT_EQ(parent_.communicators().alive, 1);
  }
  EXPECT_EQ(parent_.communicators().alive, 0);
}

TEST_F(MulticommunicatorTest, IsFlattenedIntoTheFirstHalfOfTheGroupsAndTheOthers) {
  const std::vector<Members> groups = backwards(1);
  const int ranks = world().ranks;
  const int first = (ranks + 1) / 2;
  const bool is_first = world().rank >= ranks - first;
  world().waiter.blocking([&] {
    const Multicommunicator many(parent_, groups, tag);
    int local = 0;
    MPI_Comm_size(many.side(), &local);
    EXPECT_EQ(local, is_first ? first : ranks - first);
    const CommHandle flat = many.flatten();
    if (ranks == 1) {
      EXPECT_FALSE(flat);
      return;
    }
    int remote = 0;
    MPI_Comm_remote_size(flat.get(), &remote);
    EXPECT_EQ(remote, ranks - local);
  });
  EXPECT_EQ(parent_.communicators().alive, 0);
}

TEST_F(MulticommunicatorTest, NeedsNobodyElse) {
  // The last rank does not call.
  if (world().ranks == 1) GTEST_SKIP() << "there is nobody else";
  std::vector<Members> others;
  std::vector<int> ranks;
  for (int rank = 0; rank < world().ranks - 1; ++rank) {
    others.push_back(Members::range(rank, 1));
    ranks.push_back(rank);
  }
  if (world().rank == world().ranks - 1) return;
  EXPECT_EQ(ranks_of(merged(others).get()), ranks);
}

TEST_F(MulticommunicatorTest, RefusesGroupsThatOverlapOrAreEmptyAndStrangers) {
  const Members mine = Members::range(world().rank, 1);
  EXPECT_THROW(Multicommunicator(parent_, {mine, mine}, tag), std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {mine, Members()}, tag), std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {Members::range(world().ranks, 1)}, tag),
               std::invalid_argument);
  EXPECT_THROW(Multicommunicator(parent_, {}, tag), std::invalid_argument);
}

}  // namespace
}  // namespace regroup
