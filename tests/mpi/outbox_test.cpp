// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/tags.hpp"
#include "tests/mpi/letters.hpp"

namespace regroup {
namespace {

constexpr int letters = 2000;

/// Of all lengths up to three times what travels at once.
Letter letter_number(int i) { return letter_with(i, i % (3 * Letter::first_part)); }

int next() { return (world().rank + 1) % world().ranks; }

/// Receives all letters from the rank before this one.
void expect_all() {
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  int wrong = 0;
  for (int i = 0; i < letters; ++i) {
    const Letter letter = received_from(before, tag_leaders);
    const Letter expected = letter_number(i);
    if (!std::ranges::equal(letter.first(), expected.first())) ++wrong;
    if (letter.rest() != expected.rest()) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

// More than MPI takes over at once, and nobody receives before all are sent.
TEST(Outbox, SendsWithoutWaitingForReceivers) {
  Outbox outbox;
  for (int i = 0; i < letters; ++i) {
    outbox.send(letter_number(i), next(), tag_leaders, MPI_COMM_WORLD);
  }
  barrier();
  expect_all();
  outbox.finish(world().waiter);
}

// As above, but looking before every letter for those that have gone.
TEST(Outbox, KeepsWhatItCannotReapYet) {
  Outbox outbox;
  for (int i = 0; i < letters; ++i) {
    outbox.reap();
    outbox.send(letter_number(i), next(), tag_leaders, MPI_COMM_WORLD);
  }
  barrier();
  expect_all();
  outbox.finish(world().waiter);
}

TEST(Outbox, KeepsEachContentUntilItIsSent) {
  Outbox outbox;
  for (int rank = 0; rank < world().ranks; ++rank) {
    outbox.send(letter_with(100 * world().rank + rank, rank), rank, tag_orders, MPI_COMM_WORLD);
  }
  for (int rank = 0; rank < world().ranks; ++rank) {
    Letter letter = received_from(rank, tag_orders);
    for (int i = 0; i <= world().rank; ++i) {
      EXPECT_EQ(letter.take(), 100 * rank + world().rank + i);
    }
  }
  outbox.finish(world().waiter);
}

TEST(Outbox, IsOfUseAgainAfterItHasFinished) {
  Outbox outbox;
  outbox.finish(world().waiter);
  for (int round = 0; round < 3; ++round) {
    outbox.send(letter_with(round), world().rank, tag_loads, MPI_COMM_WORLD);
    EXPECT_EQ(received_from(world().rank, tag_loads).take(), round);
    outbox.finish(world().waiter);
  }
}

// What follows is longer than MPI takes over before its receiver asks for it.
TEST(Outbox, SendsALetterOfAnyLength) {
  constexpr int numbers = 300'000;
  Outbox outbox;
  outbox.send(letter_with(world().rank, numbers), next(), tag_leaders, MPI_COMM_WORLD);
  for (int look = 0; look < 1000; ++look) outbox.reap();
  outbox.send(letter_with(-1, 10), next(), tag_leaders, MPI_COMM_WORLD);
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  Letter letter = received_from(before, tag_leaders);
  int wrong = 0;
  for (int i = 0; i <= numbers; ++i) {
    if (letter.take() != before + i) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(received_from(before, tag_leaders).take(), -1);
  outbox.finish(world().waiter);
}

}  // namespace
}  // namespace regroup
