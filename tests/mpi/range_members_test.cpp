// SPDX-License-Identifier: BSD-3-Clause
//
// Range communicators of arbitrary members: translation, names, and errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::members_test {
namespace {

std::vector<RankRange> random_ranges(int size, std::mt19937& random, bool ascending) {
  std::vector<RankRange> ranges;
  for (int rank = 0; rank < size;) {
    const int lo = rank + static_cast<int>(random() % 3);
    const int hi = lo + static_cast<int>(random() % 4);
    if (hi >= size) break;
    ranges.push_back({lo, hi});
    rank = hi + 1;
  }
  if (ranges.empty()) ranges.push_back({0, size - 1});
  if (!ascending) std::ranges::shuffle(ranges, random);
  return ranges;
}

std::vector<int> ranks_of(const std::vector<RankRange>& ranges) {
  std::vector<int> ranks;
  for (const RankRange& range : ranges) {
    for (int rank = range.lo; rank <= range.hi; ++rank) ranks.push_back(rank);
  }
  return ranks;
}

std::vector<int> every(const std::vector<int>& ranks, int first, int last, int stride) {
  std::vector<int> some;
  for (int i = first; i <= last; i += stride) some.push_back(ranks[static_cast<std::size_t>(i)]);
  return some;
}

/// Checks that `comm` has exactly the ranks `ranks` of `size`, in this order.
void expect_members(const Comm& comm, const std::vector<int>& ranks, int size) {
  ASSERT_EQ(comm.size(), static_cast<int>(ranks.size()));
  std::vector<int> numbers(static_cast<std::size_t>(size), -1);
  for (int member = 0; member < comm.size(); ++member) {
    const int rank = ranks[static_cast<std::size_t>(member)];
    EXPECT_EQ(comm.parent_rank(member), rank);
    numbers[static_cast<std::size_t>(rank)] = member;
  }
  for (int rank = 0; rank < size; ++rank) {
    EXPECT_EQ(comm.rank_of(rank), numbers[static_cast<std::size_t>(rank)]);
  }
  EXPECT_EQ(comm.rank(), comm.rank_of(comm.parent().rank()));
}

TEST_F(RangeTest, ASubsetAndItsPartsHaveTheirRanksAndAreTheSameHoweverTheyAreMade) {
  std::mt19937 random(1);  // the same on all ranks
  for (int round = 0; round < 200; ++round) {
    const std::vector<RankRange> ranges = random_ranges(size, random, round % 2 == 0);
    const std::vector<int> ranks = ranks_of(ranges);
    const Comm comm = world.subset(ranges);
    expect_members(comm, ranks, size);
    EXPECT_EQ(comm.context(), world.subset(ranks).context());
    const int first = static_cast<int>(random() % ranks.size());
    const int last = first + static_cast<int>(random() % (ranks.size() - unsigned(first)));
    for (int stride = 1; stride <= 3; ++stride) {
      const std::vector<int> some = every(ranks, first, last, stride);
      const Comm part = comm.range(first, last, stride);
      expect_members(part, some, size);
      EXPECT_EQ(part.context(), world.subset(some).context());
    }
    std::vector<int> numbers(ranks.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::ranges::shuffle(numbers, random);
    std::vector<int> shuffled;
    for (const int number : numbers) shuffled.push_back(ranks[static_cast<std::size_t>(number)]);
    const Comm again = comm.subset(numbers);
    expect_members(again, shuffled, size);
    EXPECT_EQ(again.context() == comm.context(), shuffled == ranks);
  }
}

TEST_F(RangeTest, ASubsetOfAStridedRangeHasTheRanksOfThese) {
  if (size < 7) return;
  const Comm even = world.range(0, size - 1, 2);
  const std::vector<RankRange> ranges{{0, 1}, {3, 3}};
  expect_members(even.subset(ranges), {0, 2, 6}, size);
  const std::vector<int> steps{1, 3};
  EXPECT_EQ(even.subset(steps).context(), world.range(2, 6, 4).context());
}

TEST_F(RangeTest, ASubsetCallsNothingOfMpiAndReusesItsMemory) {
  std::vector<RankRange> ranges;
  for (int lo = 0; lo + 1 < size; lo += 3) ranges.push_back({lo, lo + 1});
  if (ranges.empty()) ranges.push_back({0, 0});
  const auto make_and_drop = [&] {
    const Comm comm = world.subset(ranges);
    const Comm copy = comm;
    return copy.range(0, copy.size() - 1).size() + copy.range(0, copy.size() / 2).size();
  };
  EXPECT_GT(make_and_drop(), 0);
  const Calls before = calls_so_far();
  make_and_drop();
  const Calls after = calls_so_far();
  EXPECT_EQ(after.mpi, before.mpi);
  EXPECT_EQ(after.allocations, before.allocations);
}

TEST_F(RangeTest, SubsetsOfNobodyOfStrangersAndOfTheSameRankTwiceAreRefused) {
  const auto refused = [&](std::vector<RankRange> ranges) {
    EXPECT_THROW(world.subset(ranges), std::invalid_argument);
  };
  refused({});
  refused({{0, size}});
  refused({{-1, 0}});
  refused({{0, 0}, {0, 0}});
  refused({{0, 0}, {1, 0}});
  if (size < 4) return;
  refused({{1, 2}, {0, 1}});
  refused({{3, 3}, {0, 1}, {1, 2}});
  refused({{0, 2}, {1, 1}});
}

TEST_F(RangeTest, OverlappingSubsetsWorkOneAfterTheOther) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const std::vector<int> ranks = ranks_of(random_ranges(size, random, round % 2 == 0));
    const Comm comm = world.subset(ranks);
    if (comm.rank() < 0) continue;
    int sum = 0;
    allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    EXPECT_EQ(sum, std::accumulate(ranks.begin(), ranks.end(), 0));
    int before = rank;
    bcast(&before, 1, MPI_INT, comm.size() - 1, comm);
    EXPECT_EQ(before, ranks.back());
    Request barriers[]{ibarrier(comm), ibarrier(comm)};
    waitall(barriers);
  }
}

// A second Parent of the same MPI communicator.

bool testall_throws(std::span<Request> requests) {
  try {
    testall(requests);
  } catch (const std::runtime_error&) {
    return true;
  }
  return false;
}

/// Lets only ranks 0 and 1 start collectives and messages on all ranks, and abandons them.
void abandon_operations(MPI_Comm comm, std::uint32_t separate) {
  Parent parent(comm, test_waiter(), OverlapCheck::on, separate);
  const Comm all = parent.all();
  std::vector<int> sums(2000, 1);
  std::vector<Request> requests;
  if (parent.rank() < 2) {
    for (const int tag : {in_call_order, 0}) {
      requests.push_back(iallreduce(MPI_IN_PLACE, sums.data(), 2000, MPI_INT, MPI_SUM, all, tag));
      requests.push_back(ibarrier(all, tag));
    }
    requests.push_back(irecv(sums.data(), 1, MPI_INT, 2, 4, all));
    send(sums.data(), 1, MPI_INT, 3, 4, all);
    for (int look = 0; look < 100; ++look) parent.progress();
  }
  parent.abandon(std::make_exception_ptr(std::runtime_error("lost")));
  EXPECT_TRUE(parent.idle());
  EXPECT_TRUE(requests.empty() || testall_throws(requests));
}

void receive_what_is_left(MPI_Comm comm) {
  std::vector<std::byte> bytes(1 << 16);
  for (int found = 1; found != 0;) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &message, MPI_STATUS_IGNORE);
    if (found == 0) return;
    MPI_Mrecv(bytes.data(), 1 << 16, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  }
}

TEST_F(RangeTest, ASecondParentTakesNoMessageOfAnAbandonedOne) {
  if (size < 4) return;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (const std::uint32_t separate : {1U, 2U, Parent::most_separate}) {
    abandon_operations(comm, separate - 1);
    Parent second(comm, test_waiter(), OverlapCheck::on, separate);
    const Comm all = second.all();
    for (int round = 0; round < 3; ++round) {
      for (const int tag : {in_call_order, 0}) {
        std::vector<int> sums(2000, 1);
        allreduce(MPI_IN_PLACE, sums.data(), 2000, MPI_INT, MPI_SUM, all, tag);
        EXPECT_EQ(sums, std::vector<int>(sums.size(), size));
        int root = rank + round;
        bcast(&root, 1, MPI_INT, 1, all, tag);
        EXPECT_EQ(root, 1 + round);
      }
      int came = -1;
      sendrecv(&round, 1, MPI_INT, (rank + 1) % size, 4, &came, 1, MPI_INT, MPI_ANY_SOURCE, 4, all);
      EXPECT_EQ(came, round);
      GroupCreation creation = icreate_group(all, reversed_ranks(size), 0);
      creation.wait();
      barrier(creation.comm());
    }
  }
  barrier(world);
  receive_what_is_left(comm);  // the next communicator may inherit the context of this one
  MPI_Comm_free(&comm);
}

TEST_F(RangeTest, ParentsOfOneCommunicatorHaveNoChannelInCommon) {
  std::vector<bool> taken(1 << 16);
  for (std::uint32_t separate = 0; separate <= Parent::most_separate; ++separate) {
    const Channels channels = Channels::of_parent(separate, 4095);
    EXPECT_GE(channels.number(), 15U);
    for (std::uint32_t i = 0; i <= channels.number(); ++i) {
      EXPECT_FALSE(taken[channels.base() + i]);
      taken[channels.base() + i] = true;
    }
  }
  EXPECT_EQ(std::ranges::count(taken, true), 4096);
  EXPECT_FALSE(taken[4096]);
  EXPECT_THROW(Channels::of_parent(1, 0), NoChannel);
  EXPECT_EQ(Channels::of_parent(0, 0).number(), 0U);
  EXPECT_THROW(Channels::of_parent(Parent::most_separate + 1, 4095), std::invalid_argument);
}

}  // namespace
}  // namespace regroup::range::members_test
