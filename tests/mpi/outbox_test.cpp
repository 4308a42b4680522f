// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/outbox.hpp"

#include <gtest/gtest.h>

#include "kernel/mpi/stage/tags.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

int received_from(int rank, int tag) {
  int content = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&content, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &request);
  complete(request);
  return content;
}

// More than MPI takes over at once, and nobody receives before all are sent.
TEST(Outbox, SendsWithoutWaitingForReceivers) {
  constexpr int letters = 2000;
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  Outbox outbox;
  for (int i = 0; i < letters; ++i) outbox.send(i, next, tag_leaders, MPI_COMM_WORLD);
  barrier();
  int wrong = 0;
  for (int i = 0; i < letters; ++i) {
    if (received_from(before, tag_leaders) != i) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
  outbox.finish(world().waiter);
}

// As above, but looking before every letter for those that have gone.
TEST(Outbox, KeepsWhatItCannotReapYet) {
  constexpr int letters = 2000;
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  Outbox outbox;
  for (int i = 0; i < letters; ++i) {
    outbox.reap();
    outbox.send(i, next, tag_leaders, MPI_COMM_WORLD);
  }
  barrier();
  int wrong = 0;
  for (int i = 0; i < letters; ++i) {
    if (received_from(before, tag_leaders) != i) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
  outbox.finish(world().waiter);
}

TEST(Outbox, KeepsEachContentUntilItIsSent) {
  Outbox outbox;
  for (int rank = 0; rank < world().ranks; ++rank) {
    const int content = 100 * world().rank + rank;
    outbox.send(content, rank, tag_orders, MPI_COMM_WORLD);
  }
  for (int rank = 0; rank < world().ranks; ++rank) {
    EXPECT_EQ(received_from(rank, tag_orders), 100 * rank + world().rank);
  }
  outbox.finish(world().waiter);
}

TEST(Outbox, IsOfUseAgainAfterItHasFinished) {
  Outbox outbox;
  outbox.finish(world().waiter);
  for (int round = 0; round < 3; ++round) {
    outbox.send(round, world().rank, tag_loads, MPI_COMM_WORLD);
    EXPECT_EQ(received_from(world().rank, tag_loads), round);
    outbox.finish(world().waiter);
  }
}

}  // namespace
}  // namespace regroup
