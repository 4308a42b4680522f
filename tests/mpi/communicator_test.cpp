// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/communicator.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <type_traits>

#include "regroup/waiter.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::communicator_test {
namespace {

CommHandle duplicate_of_self(CommunicatorCount& count) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  return CommHandle(comm, count);
}

static_assert(!std::is_copy_constructible_v<CommHandle>);
static_assert(!std::is_copy_assignable_v<CommHandle>);
static_assert(!std::is_copy_constructible_v<GroupHandle>);

TEST(CommHandle, CountsItsCommunicatorWhileItLives) {
  CommunicatorCount count;
  {
    const CommHandle one = duplicate_of_self(count);
    EXPECT_EQ(count.alive, 1);
    {
      const CommHandle other = duplicate_of_self(count);
      EXPECT_EQ(count.alive, 2);
    }
    EXPECT_EQ(count.alive, 1);
  }
  EXPECT_EQ(count.alive, 0);
  EXPECT_EQ(count.alive_max, 2);
}

TEST(CommHandle, OwnsNothingForNoCommunicator) {
  CommunicatorCount count;
  const CommHandle none(MPI_COMM_NULL, count);
  EXPECT_FALSE(none);
  EXPECT_EQ(count.alive_max, 0);
}

TEST(CommHandle, HandsItsCommunicatorOverAndFreesItOnce) {
  CommunicatorCount count;
  CommHandle one = duplicate_of_self(count);
  const MPI_Comm comm = one.get();
  CommHandle other = std::move(one);
  EXPECT_FALSE(one);  // NOLINT: what a moved-from handle is, is the question
  EXPECT_EQ(other.get(), comm);
  EXPECT_EQ(count.alive, 1);
  other.reset();
  other.reset();
  EXPECT_EQ(count.alive, 0);
}

TEST(CommHandle, FreesWhatItHeldWhenItIsAssigned) {
  CommunicatorCount count;
  CommHandle one = duplicate_of_self(count);
  one = duplicate_of_self(count);
  EXPECT_EQ(count.alive, 1);
  one = CommHandle();
  EXPECT_FALSE(one);
  EXPECT_EQ(count.alive, 0);
  EXPECT_EQ(count.alive_max, 2);
}

TEST(CommHandle, CountsForTheCounterThatItWasMadeWith) {
  CommunicatorCount left;
  CommunicatorCount right;
  CommHandle one = duplicate_of_self(left);
  one = duplicate_of_self(right);
  EXPECT_EQ(left.alive, 0);
  EXPECT_EQ(right.alive, 1);
  one.reset();
  EXPECT_EQ(right.alive, 0);
}

TEST(GroupComm, KnowsItsRankInARange) {
  const int half = (world().ranks + 1) / 2;
  const bool low = world().rank < half;
  Site parent(MPI_COMM_WORLD, world().waiter);
  const GroupComm comm(parent.all().range(low ? 0 : half, low ? half - 1 : world().ranks - 1));
  EXPECT_EQ(comm.size(), low ? half : world().ranks - half);
  EXPECT_EQ(comm.rank(), low ? world().rank : world().rank - half);
  EXPECT_EQ(comm.translate(comm.rank()), world().rank);
}

TEST(GroupComm, IsEmptyWhenItsCommunicatorWasHandedOver) {
  CommunicatorCount count;
  GroupComm one(duplicate_of_self(count));
  const GroupComm other = std::move(one);
  EXPECT_TRUE(other);
  EXPECT_FALSE(one);  // NOLINT: what a moved-from communicator is, is the question
  EXPECT_EQ(count.alive, 1);
}

TEST(GroupComm, IsEmptyByDefaultAndForNoCommunicator) {
  CommunicatorCount count;
  EXPECT_FALSE(GroupComm());
  EXPECT_FALSE(GroupComm(CommHandle(MPI_COMM_NULL, count)));
}

class EveryWaiter : public testing::TestWithParam<Waiting> {
 protected:
  const Waiter waiter_{GetParam(), world().ranks};
};

TEST_P(EveryWaiter, CompletesARequestAndTellsItsStatus) {
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  int came = -1;
  MPI_Request receiving = MPI_REQUEST_NULL;
  MPI_Request sending = MPI_REQUEST_NULL;
  MPI_Irecv(&came, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &receiving);
  MPI_Isend(&world().rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &sending);
  MPI_Status status;
  waiter_.wait(receiving, &status);
  waiter_.wait(sending);
  EXPECT_EQ(receiving, MPI_REQUEST_NULL);
  EXPECT_EQ(sending, MPI_REQUEST_NULL);
  EXPECT_EQ(came, before);
  EXPECT_EQ(status.MPI_SOURCE, before);
}

TEST_P(EveryWaiter, TakesARequestThatIsDone) {
  MPI_Request request = MPI_REQUEST_NULL;
  waiter_.wait(request);
  EXPECT_EQ(request, MPI_REQUEST_NULL);
}

TEST_P(EveryWaiter, LooksUntilTheAnswerIsYesAndNoLonger) {
  int looks = 0;
  waiter_.until([&] { return ++looks == 100; });
  EXPECT_EQ(looks, 100);
}

TEST_P(EveryWaiter, PassesOnABlockingCallOnce) {
  int calls = 0;
  waiter_.blocking([&] {
    ++calls;
    MPI_Barrier(MPI_COMM_WORLD);
  });
  EXPECT_EQ(calls, 1);
}

INSTANTIATE_TEST_SUITE_P(Waitings, EveryWaiter, testing::Values(Waiting::direct, Waiting::polite),
                         [](const auto& test) {
                           return test.param == Waiting::direct ? "direct" : "polite";
                         });

TEST(Waiter, FindsTheWrapperThatMpichsTestsHave) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  EXPECT_EQ(Waiter::wrapper_is_in_place(), std::string(text).starts_with("MPICH"));
}

}  // namespace
}  // namespace regroup::communicator_test
