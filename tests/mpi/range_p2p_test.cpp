// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::p2p_test {
namespace {

TEST_F(RangeTest, AProbeDoesNotWaitForOtherOperationsUnderWay) {
  if (size < 2 || rank > 1) return;
  int number = rank;
  if (rank == 0) {
    int late = -1;
    Request receiving = irecv(&late, 1, MPI_INT, 1, 2, world);
    probe(1, 1, world);
    recv(&number, 1, MPI_INT, 1, 1, world);
    send(&number, 1, MPI_INT, 1, 3, world);
    receiving.wait();
    EXPECT_EQ(late, 1);
  } else {
    send(&number, 1, MPI_INT, 0, 1, world);
    recv(&number, 1, MPI_INT, 0, 3, world);
    send(&number, 1, MPI_INT, 0, 2, world);
  }
}

// Rank 1's first message is too long to leave before rank 0 has matched it.
TEST_F(RangeTest, AProbeMovesOtherOperationsOn) {
  if (size < 2 || rank > 1) return;
  std::vector<double> large(200'000, rank);
  int number = rank;
  if (rank == 0) {
    Request receiving = irecv(large.data(), 200'000, MPI_DOUBLE, MPI_ANY_SOURCE, 2, world);
    send(&number, 1, MPI_INT, 1, 3, world);
    probe(1, 1, world);
    recv(&number, 1, MPI_INT, 1, 1, world);
    receiving.wait();
    EXPECT_EQ(large.back(), 1);
  } else {
    recv(&number, 1, MPI_INT, 0, 3, world);
    send(large.data(), 200'000, MPI_DOUBLE, 0, 2, world);
    send(&number, 1, MPI_INT, 0, 1, world);
  }
}

TEST_F(RangeTest, ProbesTellWhatWouldBeReceived) {
  if (size < 2) return;
  const Comm comm = world.range(size - 2, size - 1);
  if (comm.rank() < 0) return;
  EXPECT_FALSE(iprobe(1 - comm.rank(), 9, comm));
  std::array<int, 3> numbers{1, 2, 3};
  Request sending = isend(numbers.data(), 3, MPI_INT, 1 - comm.rank(), 8, comm);
  MPI_Status status;
  probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(status.MPI_SOURCE, 1 - comm.rank());
  EXPECT_EQ(status.MPI_TAG, 8);
  EXPECT_TRUE(iprobe(1 - comm.rank(), 8, comm, &status));
  recv(numbers.data(), 3, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm);
  sending.wait();
}

// A message of the last rank, not a member, reaches rank 0 before that of rank 1, a member.
TEST_F(RangeTest, WildcardsSeeMembersOnlyThoughOthersWereFirst) {
  if (size < 3) return;
  const Comm pair = world.range(0, 1);
  for (const int source : {MPI_ANY_SOURCE, 1}) {
    for (const int tag : {MPI_ANY_TAG, 5}) {
      for (const bool blocking : {true, false}) {
        int number = rank;
        if (rank == size - 1) send(&number, 1, MPI_INT, 0, 5, world);
        if (rank == 0) {
          probe(size - 1, 5, world);
          EXPECT_FALSE(iprobe(source, tag, pair));
        }
        barrier(world);
        if (rank == 1) send(&number, 1, MPI_INT, 0, 5, pair);
        if (rank == 0) {
          MPI_Status status;
          if (blocking) {
            recv(&number, 1, MPI_INT, source, tag, pair, &status);
          } else {
            Request receiving = irecv(&number, 1, MPI_INT, source, tag, pair);
            receiving.wait(&status);
          }
          EXPECT_EQ(number, 1);
          EXPECT_EQ(status.MPI_SOURCE, 1);
          EXPECT_EQ(status.MPI_TAG, 5);
          recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 5, world, &status);
          EXPECT_EQ(number, size - 1);
        }
        barrier(world);
      }
    }
  }
}

TEST_F(RangeTest, EverybodyHearsFromEverybodyByWildcard) {
  std::vector<Request> requests;
  std::vector<int> in(static_cast<std::size_t>(size), -1);
  for (int r = 0; r < size; ++r) {
    requests.push_back(
        irecv(&in[static_cast<std::size_t>(r)], 1, MPI_INT, MPI_ANY_SOURCE, 1, world));
  }
  for (int r = 0; r < size; ++r) requests.push_back(isend(&rank, 1, MPI_INT, r, 1, world));
  waitall(requests);
  EXPECT_TRUE(testall(requests));
  std::ranges::sort(in);
  for (int r = 0; r < size; ++r) EXPECT_EQ(in[static_cast<std::size_t>(r)], r);
}

TEST_F(RangeTest, RequestsMoveAndWaitWhenDropped) {
  int in = -1;
  Request moved;
  {
    Request receiving = irecv(&in, 1, MPI_INT, rank, 2, world);
    EXPECT_FALSE(receiving.test());
    moved = std::move(receiving);
    Request dropped = isend(&rank, 1, MPI_INT, rank, 2, world);
  }
  wait(moved);
  EXPECT_EQ(in, rank);
  EXPECT_TRUE(test(moved));
}

TEST_F(RangeTest, ARequestThatIsAssignedToIsWaitedForBefore) {
  int in = -1;
  Request request = isend(&rank, 1, MPI_INT, rank, 2, world);
  Request receiving = irecv(&in, 1, MPI_INT, rank, 2, world);
  request = std::move(receiving);
  EXPECT_FALSE(receiving);  // NOLINT(bugprone-use-after-move): it has nothing of the first one
  request.wait();
  EXPECT_EQ(in, rank);
}

TEST_F(RangeTest, AReceiveThatIsDroppedHasReceived) {
  if (size < 2 || rank > 1) return;
  int number = -1;
  if (rank == 0) {
    {
      const Request dropped = irecv(&number, 1, MPI_INT, 1, 2, world);
      send(&rank, 1, MPI_INT, 1, 3, world);
    }
    EXPECT_EQ(number, 1);
  } else {
    recv(&number, 1, MPI_INT, 0, 3, world);
    send(&rank, 1, MPI_INT, 0, 2, world);
  }
}

TEST_F(RangeTest, TestallOfTwoParentsFreesAllRequestsOrNone) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  {
    Parent other{copy, test_waiter(), OverlapCheck::on};
    const Comm all = other.all();
    int late = -1;
    int early = -1;
    std::vector<Request> requests;
    requests.push_back(irecv(&late, 1, MPI_INT, rank, 1, world));
    requests.push_back(irecv(&early, 1, MPI_INT, rank, 1, all));
    Request sending = isend(&rank, 1, MPI_INT, rank, 1, all);
    EXPECT_FALSE(testall(requests));
    EXPECT_TRUE(requests[0]);
    EXPECT_TRUE(requests[1]);
    Request sending_late = isend(&rank, 1, MPI_INT, rank, 1, world);
    while (!testall(requests)) {
    }
    EXPECT_FALSE(requests[0]);
    EXPECT_FALSE(requests[1]);
    EXPECT_EQ(late, rank);
    EXPECT_EQ(early, rank);
  }
  MPI_Comm_free(&copy);
}

}  // namespace
}  // namespace regroup::range::p2p_test
