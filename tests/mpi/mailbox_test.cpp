// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/mailbox.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "engines/mpi/orders.hpp"
#include "engines/mpi/tags.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/letters.hpp"

namespace regroup {
namespace {

constexpr int letters = 50;

/// Every other one is longer than what travels at once.
Message letter(int sender, int number) {
  const RankSet ranks = number % 2 == 0 ? RankSet(sender, sender + 3) : strided(sender, 200, 2);
  return {-number, sender, ranks, {number, -1, sender, 7}};
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
  for (int i = 0; i < letters; ++i) mailbox_.send(letter(world().rank, i), next, outbox_);
  for (int i = 0; i < letters; ++i) {
    mailbox_.wait(std::nullopt);
    EXPECT_EQ(mailbox_.take(), letter(before, i));
  }
  outbox_.finish(world().waiter);
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, TakesMessagesOfEverybody) {
  if (world().rank != 0) {
    mailbox_.send(letter(world().rank, 1), 0, outbox_);
  } else {
    int sum = 0;
    for (int i = 1; i < world().ranks; ++i) {
      mailbox_.wait(std::nullopt);
      const auto message = mailbox_.take();
      sum += message ? message->ranks.lo() : 0;
    }
    EXPECT_EQ(sum, world().ranks * (world().ranks - 1) / 2);
  }
  outbox_.finish(world().waiter);
}

TEST(MailboxOfNotices, ShowsThemAsTheyComeAndGivesMessagesAlone) {
  std::vector<std::int64_t> seen;
  Mailbox mailbox(MPI_COMM_WORLD, world().waiter, [&](Letter letter) {
    const auto [report, ended] = report_of(std::move(letter));
    seen.push_back(report.items);
  });
  Outbox outbox;
  const auto tell = [&](std::int64_t items) {
    outbox.send(to_letter(ChainReport{0, items, 1, 0, 0, 0, 0, 0}, false), world().rank,
                tag_leaders, MPI_COMM_WORLD);
  };
  for (int i = 0; i < 4; ++i) tell(i);
  mailbox.wait_for_notices([&] { return seen.size() == 4; });
  EXPECT_FALSE(mailbox.look());
  EXPECT_FALSE(mailbox.take());
  tell(4);
  mailbox.send(letter(world().rank, 7), world().rank, outbox);
  mailbox.wait(std::nullopt);  // for the message, whatever else comes
  EXPECT_EQ(mailbox.take(), letter(world().rank, 7));
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  outbox.finish(world().waiter);
}

TEST_F(MailboxTest, KeepsWhatALookHasFound) {
  mailbox_.send(letter(world().rank, 7), world().rank, outbox_);
  world().waiter.until([&] { return mailbox_.look(); });
  EXPECT_TRUE(mailbox_.look());
  mailbox_.wait(std::nullopt);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 7));
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, GivesTheOldestOfThoseThatItHas) {
  for (int i = 0; i < 3; ++i) mailbox_.send(letter(world().rank, i), world().rank, outbox_);
  for (int look = 0; look < 1000; ++look) mailbox_.look();
  for (int i = 0; i < 3; ++i) {
    mailbox_.wait(std::nullopt);
    EXPECT_EQ(mailbox_.take(), letter(world().rank, i));
  }
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, LooksForMessagesOfLeadersOnly) {
  const int order = 5;
  outbox_.send(letter_with(order, 20), world().rank, tag_orders, MPI_COMM_WORLD);
  world().waiter.until([] {
    int there = 0;
    MPI_Iprobe(world().rank, tag_orders, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    return there != 0;
  });
  EXPECT_FALSE(mailbox_.look());
  EXPECT_EQ(received_from(world().rank, tag_orders).take(), order);
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, EndsAWaitWithALimitWhenAMessageIsThere) {
  mailbox_.send(letter(world().rank, 9), world().rank, outbox_);
  mailbox_.wait(3600);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 9));
  outbox_.finish(world().waiter);
}

// All ranks are a group. Everybody writes to the next rank, a mere member but for rank 0; whatever
// comes to a member that waits for an order goes to the leader.
TEST_F(MailboxTest, PassesOnWhatComesWhileAMemberWaitsForAnOrder) {
  Site site(MPI_COMM_WORLD, world().waiter);
  const GroupComm group(site.all().range(0, world().ranks - 1));
  const int next = (world().rank + 1) % world().ranks;
  for (int i = 0; i < letters; ++i) mailbox_.send(letter(world().rank, i), next, outbox_);
  Outbox orders;
  if (world().rank == 0) {
    std::vector<int> heard(static_cast<std::size_t>(world().ranks), 0);
    for (int i = 0; i < letters * world().ranks; ++i) {
      mailbox_.wait(std::nullopt);
      const auto message = mailbox_.take().value_or(Message{});
      int& number = heard.at(static_cast<std::size_t>(message.from));
      EXPECT_EQ(message, letter(message.from, number));
      ++number;
    }
    give({Order::Kind::stop, 0, {}}, group, orders);
  } else {
    NextOrder order(group);
    mailbox_.pass_on_until(order.request(), 0, outbox_, world().waiter);
    EXPECT_EQ(order.take(orders, world().waiter).kind, Order::Kind::stop);
    EXPECT_FALSE(mailbox_.take());
  }
  orders.finish(world().waiter);
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, PassesOnWhatWasNotTaken) {
  mailbox_.send(letter(world().rank, 0), world().rank, outbox_);
  mailbox_.send(letter(world().rank, 1), world().rank, outbox_);
  world().waiter.until([&] { return mailbox_.look(); });
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 0));
  world().waiter.until([&] { return mailbox_.look(); });
  // Before, rank 0 would take what others pass on for its own.
  world().waiter.blocking([] { MPI_Barrier(MPI_COMM_WORLD); });
  mailbox_.pass_on(0, outbox_);
  if (world().rank == 0) {
    int sum = 0;
    for (int i = 0; i < world().ranks; ++i) {
      mailbox_.wait(std::nullopt);
      const auto message = mailbox_.take().value_or(Message{});
      EXPECT_EQ(message, letter(message.from, 1));
      sum += message.from;
    }
    EXPECT_EQ(sum, world().ranks * (world().ranks - 1) / 2);
  }
  EXPECT_FALSE(mailbox_.take());
  outbox_.finish(world().waiter);
}

}  // namespace
}  // namespace regroup
