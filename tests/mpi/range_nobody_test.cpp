// SPDX-License-Identifier: BSD-3-Clause
//
// Messages to and from MPI_PROC_NULL, both ways at once, synchronous, and with large tags.
#include <vector>

#include "regroup/range.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range {
namespace {

void expect_status(const MPI_Status& status, int source, int tag, int count) {
  int received = -1;
  MPI_Get_count(&status, MPI_INT, &received);
  EXPECT_EQ(status.MPI_SOURCE, source);
  EXPECT_EQ(status.MPI_TAG, tag);
  EXPECT_EQ(received, count);
}

TEST_F(RangeTest, MessagesToAndFromNobodyAreCompleteAtOnce) {
  int number = rank;
  MPI_Status status;
  send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, world);
  ssend(&number, 1, MPI_INT, MPI_PROC_NULL, 0, world);
  recv(&number, 1, MPI_INT, MPI_PROC_NULL, 7, world, &status);
  expect_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  status = {};
  probe(MPI_PROC_NULL, 7, world, &status);
  expect_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  EXPECT_TRUE(iprobe(MPI_PROC_NULL, MPI_ANY_TAG, world));
  Request receiving = irecv(&number, 1, MPI_INT, MPI_PROC_NULL, 7, world);
  EXPECT_TRUE(receiving);
  status = {};
  EXPECT_TRUE(receiving.test(&status));
  expect_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
  Request sending = issend(&number, 1, MPI_INT, MPI_PROC_NULL, 7, world);
  status = {};
  sending.wait(&status);
  expect_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
  EXPECT_EQ(number, rank);
}

TEST_F(RangeTest, NumbersGoAlongALineThatEnds) {
  for (int last = rank; last < size; ++last) {
    const Comm comm = world.range(0, last);
    const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    const int right = rank == last ? MPI_PROC_NULL : rank + 1;
    // More than leaves before somebody receives it.
    for (const int count : {1, 100'000}) {
      const std::vector<int> out(static_cast<std::size_t>(count), rank);
      std::vector<int> in(out.size(), -1);
      MPI_Status status;
      sendrecv(out.data(), count, MPI_INT, right, 4, in.data(), count, MPI_INT, left, 4, comm,
               &status);
      EXPECT_EQ(in.back(), rank == 0 ? -1 : left);
      expect_status(status, left, rank == 0 ? MPI_ANY_TAG : 4, rank == 0 ? 0 : count);
    }
  }
}

TEST_F(RangeTest, EverybodyExchangesByWildcard) {
  const int to = (rank + 1) % size;
  int in = -1;
  MPI_Status status;
  sendrecv(&rank, 1, MPI_INT, to, 5, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
  EXPECT_EQ(in, (rank + size - 1) % size);
  expect_status(status, in, 5, 1);
}

TEST_F(RangeTest, ASynchronousSendIsCompleteOnlyWhenItIsReceived) {
  int in = -1;
  Request sending = issend(&rank, 1, MPI_INT, rank, 3, world);
  for (int look = 0; look < 100; ++look) EXPECT_FALSE(sending.test());
  Request receiving = irecv(&in, 1, MPI_INT, rank, 3, world);
  sending.wait();
  receiving.wait();
  EXPECT_EQ(in, rank);
  if (size < 2 || rank > 1) return;
  if (rank == 0) {
    ssend(&rank, 1, MPI_INT, 1, 3, world);
  } else {
    recv(&in, 1, MPI_INT, 0, 3, world);
    EXPECT_EQ(in, 0);
  }
}

TEST_F(RangeTest, TagsReachUpToTheLargest) {
  const int largest = parent.max_message_tag();
  int bcast_beside = rank;
  Request beside = ibcast(&bcast_beside, 1, MPI_INT, 0, world, Parent::max_tag);
  for (const int tag : {0, Parent::max_tag, largest}) {
    int in = -1;
    Request sending = isend(&rank, 1, MPI_INT, rank, tag, world);
    MPI_Status status;
    recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &status);
    expect_status(status, rank, tag, 1);
    sending.wait();
  }
  beside.wait();
  EXPECT_EQ(bcast_beside, 0);
}

}  // namespace
}  // namespace regroup::range
