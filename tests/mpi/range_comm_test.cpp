// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "communicators/range/operation.hpp"
#include "regroup/range.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/range_fixture.hpp"

namespace regroup::range::comm_test {
namespace {

static_assert(std::is_nothrow_move_constructible_v<Comm> &&
              std::is_nothrow_move_assignable_v<Comm>);
static_assert(sizeof(Comm) <= 64, "one cache line");

TEST_F(RangeTest, RanksTranslateBothWaysForEveryRangeAndRangeOfARange) {
  for (int stride = 1; stride <= 3; ++stride) {
    for (int first = 0; first < size; ++first) {
      for (int last = first; last < size; ++last) {
        const Comm comm = world.range(first, last, stride);
        EXPECT_EQ(comm.size(), (last - first) / stride + 1);
        int member = 0;
        for (int r = 0; r < size; ++r) {
          const bool in = r >= first && r <= last && (r - first) % stride == 0;
          EXPECT_EQ(comm.rank_of(r), in ? member : -1);
          if (in) {
            EXPECT_EQ(comm.parent_rank(member++), r);
          }
          if (r == rank) {
            EXPECT_EQ(comm.rank(), comm.rank_of(r));
          }
        }
        const Comm every_other = comm.range(0, comm.size() - 1, 2);
        EXPECT_EQ(every_other.size(), (comm.size() + 1) / 2);
        for (int r = 0; r < every_other.size(); ++r) {
          EXPECT_EQ(every_other.parent_rank(r), comm.parent_rank(2 * r));
        }
        EXPECT_EQ(every_other.rank(), every_other.rank_of(rank));
      }
    }
  }
}

TEST_F(RangeTest, ARangeThatItsStepsDoNotMeetTheEndOfIsTheSameAsOneThatEndsBefore) {
  for (int last = 0; last < size; ++last) {
    EXPECT_EQ(world.range(0, last, 2).context(), world.range(0, last - last % 2, 2).context());
  }
}

TEST_F(RangeTest, MakingAndFreeingCallsNothingOfMpiAndAllocatesNothing) {
  const Calls before = calls_so_far();
  int ranks = 0;
  for (int last = 0; last < size; ++last) {
    const Comm comm = world.range(0, last).range(last / 2, last, 2);
    ranks += comm.size();
  }
  const Calls after = calls_so_far();
  EXPECT_EQ(after.mpi, before.mpi);
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_NE(ranks, 0);
  // Checks that the counter works.
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(calls_so_far().mpi, before.mpi + 1);
}

TEST_F(RangeTest, ARangeOutsideItsParentIsRefused) {
  EXPECT_THROW(world.range(-1, 0), std::invalid_argument);
  EXPECT_THROW(world.range(0, size), std::invalid_argument);
  EXPECT_THROW(world.range(1, 0), std::invalid_argument);
  EXPECT_THROW(world.range(0, size - 1, 0), std::invalid_argument);
}

TEST_F(RangeTest, AnIntercommunicatorIsNoParent) {
  EXPECT_THROW(Parent(MPI_COMM_NULL, test_waiter()), std::invalid_argument);
  if (size < 2) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 0, &between);
  EXPECT_THROW(Parent(between, test_waiter()), std::invalid_argument);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

TEST_F(RangeTest, EveryTagOfEveryChannelIsOneThatMpiTakes) {
  void* largest = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
  const long long tags = (parent.channels().number() + 1LL)
                         << (Parent::tag_bits + Parent::kind_bits);
  EXPECT_LE(tags - 1, found != 0 ? *static_cast<int*>(largest) : 32767);
  // The last tag of a channel is that of the largest message tag.
  EXPECT_EQ(wire_tag(world, Kind::point_to_point, parent.max_message_tag()),
            std::min(tags, static_cast<long long>(tags_of_channel)) - 1);
  EXPECT_GT(wire_tag(world, Kind::point_to_point, 0),
            wire_tag(world, Kind::reduce_scatter, Parent::max_tag));
  if (parent.channels().number() > 0) {
    EXPECT_GE(parent.max_message_tag(), 1 << 15);
  }
}

TEST_F(RangeTest, MisuseIsRefusedBeforeAnyMessageIsSent) {
  int number = 0;
  EXPECT_THROW(bcast(&number, -1, MPI_INT, 0, world), std::invalid_argument);
  EXPECT_THROW(bcast(&number, 1, MPI_INT, size, world), std::invalid_argument);
  EXPECT_THROW(ibcast(&number, 1, MPI_INT, -1, world), std::invalid_argument);
  EXPECT_THROW(barrier(world, Parent::max_tag + 1), std::invalid_argument);
  EXPECT_THROW(barrier(world, -2), std::invalid_argument);
  EXPECT_THROW(send(&number, 1, MPI_INT, size, 0, world), std::invalid_argument);
  const int beyond = parent.max_message_tag() + 1;
  EXPECT_THROW(recv(&number, 1, MPI_INT, 0, beyond, world), std::invalid_argument);
  EXPECT_THROW(send(&number, 1, MPI_INT, 0, beyond, world), std::invalid_argument);
  EXPECT_THROW(iprobe(size, 0, world), std::invalid_argument);
  EXPECT_THROW(barrier(Comm()), std::invalid_argument);
  const Comm without_me = world.range(0, 0);
  if (rank != 0) {
    EXPECT_THROW(barrier(without_me), std::invalid_argument);
  }
}

TEST_F(RangeTest, MpiErrorsThatTheHandlerReturnsBecomeExceptions) {
  // MPI raises errors without a communicator on one of these two.
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &uncommitted);
  EXPECT_THROW(isend(&size, 1, uncommitted, 0, 0, world), MpiError);
  MPI_Type_free(&uncommitted);
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  }
}

TEST_F(RangeTest, OperationsThatCouldBeMistakenForOneAnotherAreFound) {
  Request first = ibarrier(world, 0);
  if (size >= 2) {
    EXPECT_THROW(ibarrier(world, 0), std::logic_error);
    EXPECT_THROW(barrier(world), std::logic_error);
  }
  int number = 7;
  Request other_kind = ibcast(&number, 1, MPI_INT, 0, world, 0);
  Request other_tag = ibarrier(world, 1);
  Request numbered = ibarrier(world);
  first.wait();
  other_kind.wait();
  other_tag.wait();
  numbered.wait();
  barrier(world);  // successive collectives need no tag
}

TEST_F(RangeTest, OverlapInOneProcessIsNoneToBeFound) {
  const int middle = size / 2;
  const Comm left = world.range(0, middle);
  const Comm right = world.range(middle, size - 1);
  EXPECT_FALSE(overlap_in_two(left, right));
  EXPECT_EQ(overlap_in_two(left, world), middle >= 1);
  Request one = left.rank() >= 0 ? ibarrier(left, 0) : Request();
  Request two = right.rank() >= 0 ? ibarrier(right, 0) : Request();
  one.wait();
  two.wait();
}

// Messages to and from MPI_PROC_NULL, in both directions at once, synchronous, with large tags.

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
    // The larger message is too long to be sent eagerly.
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
}  // namespace regroup::range::comm_test
