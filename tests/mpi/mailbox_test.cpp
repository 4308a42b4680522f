// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/mailbox.hpp"

#include <gtest/gtest.h>

#include "kernel/mpi/stage/tags.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

constexpr int letters = 50;

Message letter(int sender, int number) {
  return {Message::Kind::accept, {sender, sender + 3}, sender, number};
}

class MailboxTest : public testing::Test {
 protected:
  Outbox outbox_;
  Mailbox mailbox_{MPI_COMM_WORLD, world().waiter};
};

TEST_F(MailboxTest, HasNothingWhereNothingWasSent) {
  EXPECT_FALSE(mailbox_.look());
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, ReturnsFromAWaitThatHasALimit) {
  mailbox_.wait(1e-4);
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, GivesTheMessagesOfOneSenderInTheirOrder) {
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  for (int i = 0; i < letters; ++i) mailbox_.send({next, letter(world().rank, i)}, outbox_);
  for (int i = 0; i < letters; ++i) {
    mailbox_.wait(std::nullopt);
    EXPECT_EQ(mailbox_.take(), letter(before, i));
  }
  outbox_.finish(world().waiter);
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, TakesMessagesOfEverybody) {
  if (world().rank != 0) {
    mailbox_.send({0, letter(world().rank, 1)}, outbox_);
  } else {
    int sum = 0;
    for (int i = 1; i < world().ranks; ++i) {
      mailbox_.wait(std::nullopt);
      const auto message = mailbox_.take();
      sum += message ? message->ranks.lo : 0;
    }
    EXPECT_EQ(sum, world().ranks * (world().ranks - 1) / 2);
  }
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, KeepsWhatALookHasFound) {
  mailbox_.send({world().rank, letter(world().rank, 7)}, outbox_);
  world().waiter.until([&] { return mailbox_.look(); });
  EXPECT_TRUE(mailbox_.look());
  mailbox_.wait(std::nullopt);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 7));
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, LooksForMessagesOfLeadersOnly) {
  const int order = 5;
  outbox_.send(order, world().rank, tag_orders, MPI_COMM_WORLD);
  world().waiter.until([] {
    int there = 0;
    MPI_Iprobe(world().rank, tag_orders, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  });
  EXPECT_FALSE(mailbox_.look());
  int content = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&content, 1, MPI_INT, world().rank, tag_orders, MPI_COMM_WORLD, &request);
  complete(request);
  EXPECT_EQ(content, order);
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, EndsAWaitWithALimitWhenAMessageIsThere) {
  mailbox_.send({world().rank, letter(world().rank, 9)}, outbox_);
  mailbox_.wait(3600);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 9));
  outbox_.finish(world().waiter);
}

}  // namespace
}  // namespace regroup
