// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::order_test {
namespace {

// Matching of receives and messages: as with MPI, the first receive that was posted gets the first
// message that was sent.

constexpr int tag = 5;

/// Tests between the first two ranks; the other ranks return.
class RangeOrder : public RangeTest {
 protected:
  bool takes_part() const { return size >= 2 && rank < 2; }

  /// Lets rank 0 wait until rank 1 calls it, for example after posting receives.
  void go() {
    int nothing = 0;
    if (rank == 0) {
      recv(&nothing, 1, MPI_INT, 1, 1000, world);
    } else {
      send(&nothing, 1, MPI_INT, 0, 1000, world);
    }
  }

  void send_each(std::initializer_list<int> numbers, const Comm& comm, int with_tag = tag) {
    for (const int number : numbers) send(&number, 1, MPI_INT, 1, with_tag, comm);
  }

  /// Lets rank 1 wait until everything that rank 0 has sent has arrived.
  void wait_for_all_sent() {
    int nothing = 0;
    if (rank == 0) {
      send(&nothing, 1, MPI_INT, 1, 1001, world);
    } else {
      recv(&nothing, 1, MPI_INT, 0, 1001, world);
    }
  }
};

TEST_F(RangeOrder, OfAWildcardAndOneThatNamesItsMessageIsThatOfPosting) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  for (const int first_source : {MPI_ANY_SOURCE, 0}) {
    for (const int first_tag : {MPI_ANY_TAG, tag}) {
      std::array<int, 3> in{-1, -1, -1};
      if (rank == 0) {
        go();
        send_each({1, 2, 3}, pair);
      } else {
        std::array<Request, 3> requests{
            irecv(in.data(), 1, MPI_INT, first_source, first_tag, pair),
            irecv(in.data() + 1, 1, MPI_INT, 0, tag, pair),
            irecv(in.data() + 2, 1, MPI_INT, MPI_ANY_SOURCE, tag, world)};
        go();
        while (!requests[2].test()) {
        }
        waitall(requests);
        EXPECT_EQ(in, (std::array{1, 2, 3}));
      }
    }
  }
}

TEST_F(RangeOrder, OfReceivesThatTakeDifferentMessagesIsThatOfTheMessages) {
  if (!takes_part()) return;
  int wild = -1;
  int other_tag = -1;
  if (rank == 0) {
    send_each({1}, world, 7);
    wait_for_all_sent();
    go();
    send_each({2}, world);
  } else {
    Request first = irecv(&wild, 1, MPI_INT, MPI_ANY_SOURCE, tag, world.range(0, 1));
    Request second = irecv(&other_tag, 1, MPI_INT, 0, 7, world);
    wait_for_all_sent();
    second.wait();
    EXPECT_EQ(other_tag, 1);
    EXPECT_FALSE(first.test());
    go();
    first.wait();
    EXPECT_EQ(wild, 2);
  }
}

TEST_F(RangeOrder, OfPostingHoldsForProbes) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  if (rank == 0) {
    send_each({1, 2}, pair);
    wait_for_all_sent();
  } else {
    std::array<int, 2> in{-1, -1};
    Request first = irecv(in.data(), 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, pair);
    Request other = irecv(in.data() + 1, 1, MPI_INT, 0, 8, pair);
    wait_for_all_sent();
    // Of two messages, the first one is matched.
    EXPECT_TRUE(iprobe(0, tag, pair));
    Request second = irecv(in.data() + 1, 1, MPI_INT, MPI_ANY_SOURCE, tag, pair);
    EXPECT_FALSE(iprobe(0, tag, pair));
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world));
    first.wait();
    second.wait();
    EXPECT_EQ(in, (std::array{1, 2}));
    go();
    other.wait();
    EXPECT_EQ(in, (std::array{1, 3}));
  }
  if (rank == 0) {
    go();
    send_each({3}, pair, 8);
  }
}

// A message of a collective precedes them in MPI's queue.
TEST_F(RangeOrder, OfMessagesIsThatOfSendingWhateverTheirTags) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  int number = rank;
  for (const int source : {MPI_ANY_SOURCE, 0}) {
    if (rank == 0) {
      bcast(&number, 1, MPI_INT, 0, pair);
      send_each({1}, pair, 9);
      send_each({2}, pair, 3);
      wait_for_all_sent();
    } else {
      wait_for_all_sent();
      for (const int expected : {9, 3}) {
        MPI_Status status;
        probe(source, MPI_ANY_TAG, pair, &status);
        EXPECT_EQ(status.MPI_TAG, expected);
        recv(&number, 1, MPI_INT, source, MPI_ANY_TAG, pair, &status);
        EXPECT_EQ(status.MPI_TAG, expected);
      }
      bcast(&number, 1, MPI_INT, 0, pair);
      EXPECT_EQ(number, 0);
    }
  }
}

// A probe for one tag, on a communicator without the sender, finds the second message first.
TEST_F(RangeOrder, OfMessagesIsThatOfSendingWhoeverLookedBefore) {
  if (!takes_part() || size < 3) return;
  if (rank == 0) {
    send_each({1}, world, 9);
    send_each({2}, world);
    wait_for_all_sent();
  } else {
    wait_for_all_sent();
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, tag, world.range(1, 2)));
    for (const int expected : {1, 2}) {
      int in = -1;
      recv(&in, 1, MPI_INT, 0, MPI_ANY_TAG, world);
      EXPECT_EQ(in, expected);
    }
  }
}

TEST_F(RangeOrder, LeavesMessagesOfTheUserOnTheParentToTheUser) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  int number = 17;
  if (rank == 0) {
    MPI_Send(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    send_each({1}, pair, 9);
    send_each({2}, pair, tag);
    wait_for_all_sent();
  } else {
    wait_for_all_sent();
    int in = -1;
    MPI_Status status;
    recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, tag, pair);
    EXPECT_EQ(in, 2);
    recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, pair, &status);
    EXPECT_EQ(in, 1);
    EXPECT_EQ(status.MPI_TAG, 9);
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, pair));
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    EXPECT_EQ(in, 17);
  }
}

// The first Parent finds a message while it probes; the second Parent must receive it.
TEST_F(RangeOrder, GoesOnWithTheNextParent) {
  if (!takes_part()) return;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const std::array ranks{0, 1};
  MPI_Group_incl(all, 2, ranks.data(), &group);
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &both);
  int number = 1 + rank;
  for (int phase = 0; phase < 2; ++phase) {
    Parent mine{both, test_waiter(), OverlapCheck::on};
    const Comm pair = mine.all();
    if (rank == 0 && phase == 0) bcast(&number, 1, MPI_INT, 0, pair);
    if (phase == 0) wait_for_all_sent();
    if (rank == 1 && phase == 0) {
      EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, pair));
    }
    if (rank == 1 && phase == 1) {
      bcast(&number, 1, MPI_INT, 0, pair);
      EXPECT_EQ(number, 1);
    }
  }
  MPI_Comm_free(&both);
  MPI_Group_free(&group);
  MPI_Group_free(&all);
}

TEST_F(RangeOrder, CostsFewCallsThoughMessagesOfOtherCommunicatorsAreAhead) {
  if (!takes_part()) return;
  const Comm pair = world.range(0, 1);
  constexpr int ahead = 20;
  int number = 0;
  if (rank == 0) {
    std::vector<Request> requests;
    for (int i = 0; i < ahead; ++i) {
      requests.push_back(ibcast(&number, 1, MPI_INT, 0, pair, i));
    }
    wait_for_all_sent();
    waitall(requests);
    go();
  } else {
    wait_for_all_sent();
    long calls = calls_so_far().mpi;
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world));
    EXPECT_LE(calls_so_far().mpi - calls, 3 * ahead + 1);
    calls = calls_so_far().mpi;
    EXPECT_FALSE(iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world));
    EXPECT_EQ(calls_so_far().mpi - calls, 1);
    go();
    for (int i = 0; i < ahead; ++i) bcast(&number, 1, MPI_INT, 0, pair, i);
  }
}

// The other ranks wait for rank 0's pending collective before they enter the barrier.
TEST_F(RangeTest, ABlockingCollectiveMovesOnWhatIsUnderWay) {
  int sum = -1;
  Request summing = iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
  if (rank > 0) summing.wait();
  barrier(world);
  summing.wait();
  EXPECT_EQ(sum, size * (size - 1) / 2);
}

// Rank 0 neither tests nor waits for the sum while the others wait for it.
TEST_F(RangeTest, ProgressMovesOnWhatIsUnderWayOnEveryParent) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  {
    Parent other{copy, test_waiter(), OverlapCheck::on};
    for (const Comm& comm : {world, other.all()}) {
      int sum = -1;
      Request summing = iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
      MPI_Request done = MPI_REQUEST_NULL;
      if (rank > 0) summing.wait();
      MPI_Ibarrier(MPI_COMM_WORLD, &done);
      test_waiter().until([&] {
        range::progress();
        int through = 0;
        MPI_Test(&done, &through, MPI_STATUS_IGNORE);
        return through != 0;
      });
      summing.wait();
      EXPECT_EQ(sum, size * (size - 1) / 2);
    }
  }
  MPI_Comm_free(&copy);
}

// Reads the flag by which MPI calls nap while they wait.
TEST_F(RangeTest, ABlockingCallWithinOneLeavesTheRestOfItPolite) {
  if (!Waiter::wrapper_is_in_place()) GTEST_SKIP() << "MPI's calls are as they are";
  const auto is_polite = [] {
    const auto wrapper =
        reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "regroup_polite_progress"));
    const int before = wrapper(1);
    wrapper(before);
    return before != 0;
  };
  const Waiter waiter(Waiting::polite, size);
  EXPECT_FALSE(is_polite());
  waiter.blocking([&] {
    EXPECT_TRUE(is_polite());
    waiter.blocking([&] { EXPECT_TRUE(is_polite()); });
    EXPECT_TRUE(is_polite());
    const Waiter another(Waiting::polite, size);
    EXPECT_TRUE(is_polite());
    barrier(world);
    EXPECT_TRUE(is_polite());
  });
  EXPECT_FALSE(is_polite());
}

// With at least six processes, some forward the message, which has left when bcast returns.
TEST_F(RangeTest, WhatABroadcastWroteMayBeChangedAtOnce) {
  constexpr int n = 200'000;
  for (int root = 0; root < size; ++root) {
    std::vector<double> data(n, rank == root ? root + 0.5 : -1);
    bcast(data.data(), n, MPI_DOUBLE, root, world);
    EXPECT_EQ(std::ranges::count(data, root + 0.5), n);
    std::ranges::fill(data, -2);
    barrier(world);
  }
}

TEST_F(RangeTest, ShortCollectivesAllocateNothingOnceWarm) {
  std::vector<double> in(512, rank);
  std::vector<double> out(512 * static_cast<std::size_t>(size));
  long allocations = 0;
  for (int i = 0; i < 3; ++i) {
    allocations = calls_so_far().allocations;
    barrier(world);
    bcast(in.data(), 512, MPI_DOUBLE, 0, world);
    allreduce(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, world);
    scan(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, world);
    gather(in.data(), 512, MPI_DOUBLE, out.data(), 512, MPI_DOUBLE, 0, world);
    Request request = ireduce(in.data(), out.data(), 512, MPI_DOUBLE, MPI_SUM, 0, world);
    request.wait();
    allocations = calls_so_far().allocations - allocations;
  }
  EXPECT_EQ(allocations, 0);
}

}  // namespace
}  // namespace regroup::range::order_test
