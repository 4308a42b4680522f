// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/waiter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

class EveryWaiter : public testing::TestWithParam<Waiting> {
 protected:
  const Waiter waiter_{GetParam(), world().ranks};
};

TEST_P(EveryWaiter, KnowsHowItWaits) { EXPECT_EQ(waiter_.how(), GetParam()); }

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
}  // namespace regroup
