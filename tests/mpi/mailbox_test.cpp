// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/mailbox.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "engines/mpi/orders.hpp"
#include "engines/mpi/tags.hpp"
#include "regroup/communicator.hpp"
#include "tests/mpi/fixtures.hpp"

namespace regroup::mailbox_test {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Returns `sent` as it is received: the first part, and the rest, if there is any.
Letter arrived(const Letter& sent) {
  Letter letter;
  std::ranges::copy(sent.first(), letter.first().begin());
  const auto room = letter.make_room();
  EXPECT_EQ(room.size(), sent.rest().size());
  std::ranges::copy(sent.rest(), room.begin());
  return letter;
}

TEST(Letter, TellsTheNumbersInTheirOrderHoweverMany) {
  for (int more = 0; more < 30; ++more) {
    const Letter sent = letter_with(-7, more);
    EXPECT_LE(sent.first().size(), Letter::first_part);
    EXPECT_EQ(sent.first().size() + sent.rest().size(), static_cast<std::size_t>(more) + 2);
    Letter letter = arrived(sent);
    for (int i = 0; i <= more; ++i) EXPECT_EQ(letter.take(), i - 7);
  }
}

TEST(Letter, TellsAReportAndThatItIsNoMessage) {
  const ChainReport without{4095, most, 0xfedcba9876543210, {}, {}};
  ChainReport with = without;
  with.quantities = {{2, -0.125, 1e300}, {2, 3, 0}};
  with.draws = {-1, 3, 0.75, 3};
  for (const ChainReport& report : {without, with}) {
    for (const bool ended : {false, true}) {
      const Letter letter = arrived(to_letter(report, ended));
      EXPECT_EQ(notice_in(letter), Notice::report);
      EXPECT_THAT(reports_of(letter), testing::ElementsAre(std::pair(report, ended)));
    }
  }
  EXPECT_EQ(notice_in(letter_of(Notice::enough)), Notice::enough);
  EXPECT_EQ(notice_in(to_letter(Message{-1, 0, {}, {}})), Notice::none);
}

TEST(Letter, OfAMessageOfARangeTravelsAtOnce) {
  EXPECT_TRUE(to_letter({1, 2, {3, 400'000}, {4, 5, 6, 7}}).rest().empty());
}

TEST(Letter, TellsAMessageWithAnyNumbersAndRanks) {
  for (const RankSet& ranks : {RankSet(), RankSet(5, 5), RankSet(0, 2'000'000'000),
                               united({1, 3}, {7, 9}), strided(1, 301, 3)}) {
    const Message message{-3, 1 << 30, ranks, {least, -1, 0, most}};
    EXPECT_EQ(message_of(arrived(to_letter(message))), message);
  }
}

TEST(Letter, TellsGroupsBehindOneAnother) {
  const std::vector<Group> groups{{{0, 3}, {0, most}, {}},
                                  {strided(4, 90, 2), {}, {least, 1, 2, 3}},
                                  {strided(5, 91, 2), {1 << 30, 0}, {-1}},
                                  {{92, 92}, {Chain::none, 5}, {}}};
  Letter letter;
  for (const Group& group : groups) letter.put(group);
  letter = arrived(letter);
  for (const Group& group : groups) EXPECT_EQ(letter.take_group(), group);
}

constexpr int letters = 50;

/// Returns a message; with an odd number it is too long for the first part of a letter.
Message letter(int sender, int number) {
  const RankSet ranks = number % 2 == 0 ? RankSet(sender, sender + 3) : strided(sender, 200, 2);
  return {-number, sender, ranks, {number, -1, sender, 7}};
}

class MailboxTest : public testing::Test {
 protected:
  Outbox outbox_;
  Site site_{MPI_COMM_WORLD, world().waiter};
  World ranks_{site_};
  Mailbox mailbox_{ranks_, outbox_};
};

TEST_F(MailboxTest, HasNothingWhereNothingWasSent) {
  EXPECT_FALSE(mailbox_.look());
  EXPECT_FALSE(mailbox_.take());
  mailbox_.wait(1e-4);
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, GivesTheMessagesOfOneSenderInTheirOrder) {
  const int next = (world().rank + 1) % world().ranks;
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  for (int i = 0; i < letters; ++i) mailbox_.send(letter(world().rank, i), next);
  for (int i = 0; i < letters; ++i) {
    mailbox_.wait(std::nullopt);
    EXPECT_EQ(mailbox_.take(), letter(before, i));
  }
  outbox_.finish(world().waiter);
  EXPECT_FALSE(mailbox_.take());
}

TEST_F(MailboxTest, TakesMessagesOfEverybody) {
  if (world().rank != 0) {
    mailbox_.send(letter(world().rank, 1), 0);
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
  Outbox outbox;
  Site site(MPI_COMM_WORLD, world().waiter);
  const World ranks(site);
  Mailbox mailbox(ranks, outbox, [&](Letter letter) {
    for (const auto& [report, ended] : reports_of(std::move(letter))) seen.push_back(report.items);
  });
  const auto tell = [&](std::int64_t items) {
    outbox.send(to_letter(ChainReport{0, items, 0, {{1, 0, 0}}, {}}, false), world().rank,
                tag_leaders, MPI_COMM_WORLD);
  };
  for (int i = 0; i < 4; ++i) tell(i);
  mailbox.wait_for_notices([&] { return seen.size() == 4; });
  EXPECT_FALSE(mailbox.look());
  EXPECT_FALSE(mailbox.take());
  tell(4);
  mailbox.send(letter(world().rank, 7), world().rank);
  mailbox.wait(std::nullopt);  // until the message arrives, even if other letters come first
  EXPECT_EQ(mailbox.take(), letter(world().rank, 7));
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  outbox.finish(world().waiter);
}

TEST_F(MailboxTest, KeepsWhatALookHasFound) {
  mailbox_.send(letter(world().rank, 7), world().rank);
  world().waiter.until([&] { return mailbox_.look(); });
  EXPECT_TRUE(mailbox_.look());
  mailbox_.wait(std::nullopt);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 7));
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, GivesTheOldestOfThoseThatItHas) {
  for (int i = 0; i < 3; ++i) mailbox_.send(letter(world().rank, i), world().rank);
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
  mailbox_.send(letter(world().rank, 9), world().rank);
  mailbox_.wait(3600);
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 9));
  outbox_.finish(world().waiter);
}

// All ranks are one group. Each rank writes to the next one, which is an ordinary member unless it
// is rank 0; a member that waits for an order passes messages on to the leader.
TEST_F(MailboxTest, PassesOnWhatComesWhileAMemberWaitsForAnOrder) {
  Site site(MPI_COMM_WORLD, world().waiter);
  const GroupComm group(site.all().range(0, world().ranks - 1));
  const int next = (world().rank + 1) % world().ranks;
  for (int i = 0; i < letters; ++i) mailbox_.send(letter(world().rank, i), next);
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
    mailbox_.pass_on_until(order.request(), 0, world().waiter);
    EXPECT_EQ(order.take(orders, world().waiter).kind, Order::Kind::stop);
    EXPECT_FALSE(mailbox_.take());
  }
  orders.finish(world().waiter);
  outbox_.finish(world().waiter);
}

TEST_F(MailboxTest, PassesOnWhatWasNotTaken) {
  mailbox_.send(letter(world().rank, 0), world().rank);
  mailbox_.send(letter(world().rank, 1), world().rank);
  world().waiter.until([&] { return mailbox_.look(); });
  EXPECT_EQ(mailbox_.take(), letter(world().rank, 0));
  world().waiter.until([&] { return mailbox_.look(); });
  // Without the barrier, rank 0 would take messages that others pass on for its own.
  world().waiter.blocking([] { MPI_Barrier(MPI_COMM_WORLD); });
  mailbox_.pass_on(0);
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

constexpr int many_letters = 2000;

/// Returns the `i`th letter; lengths go up to three times that of the first part.
Letter letter_number(int i) { return letter_with(i, i % (3 * Letter::first_part)); }

int next() { return (world().rank + 1) % world().ranks; }

/// Receives all letters from the previous rank and checks them.
void expect_all() {
  const int before = (world().rank + world().ranks - 1) % world().ranks;
  int wrong = 0;
  for (int i = 0; i < many_letters; ++i) {
    const Letter letter = received_from(before, tag_leaders);
    const Letter expected = letter_number(i);
    if (!std::ranges::equal(letter.first(), expected.first())) ++wrong;
    if (letter.rest() != expected.rest()) ++wrong;
  }
  EXPECT_EQ(wrong, 0);
}

// Sends more letters than MPI buffers; no rank receives before all are sent.
TEST(Outbox, SendsWithoutWaitingForReceivers) {
  for (const bool reaps : {false, true}) {  // whether to reap completed sends before each send
    Outbox outbox;
    for (int i = 0; i < many_letters; ++i) {
      if (reaps) outbox.reap();
      outbox.send(letter_number(i), next(), tag_leaders, MPI_COMM_WORLD);
    }
    barrier();
    expect_all();
    outbox.finish(world().waiter);
  }
}

// The last rank sends more than MPI libraries can have pending (MPICH 4.0: 2^17 requests), to a
// rank that receives nothing before all are sent.
TEST(Outbox, LosesNothingAndKeepsTheOrderHoweverMuchIsSentToABusyRank) {
  const std::int64_t many = world().rank == world().ranks - 1 ? 200'000 : 200;
  Outbox outbox;
  std::vector<std::int64_t> seen;
  Site site(MPI_COMM_WORLD, world().waiter);
  const World ranks(site);
  Mailbox mailbox(ranks, outbox, [&](Letter letter) {
    for (const auto& [report, ended] : reports_of(std::move(letter))) {
      if (report.number == world().ranks - 1) seen.push_back(report.items);
    }
  });
  const Message message{1, world().rank, {0, 0}, {}};
  for (std::int64_t i = 0; i < many && world().rank != 0; ++i) {
    const ChainReport report{world().rank, i, 0, {{1, 0, 0}}, {}};
    outbox.send_report(to_letter(report, false), 0, tag_leaders, MPI_COMM_WORLD);
    if (i % (many / 4) == 0) mailbox.send(message, 0);
  }
  barrier();
  mailbox.receive_late();
  EXPECT_FALSE(outbox.holds());
  if (world().rank != 0 || world().ranks == 1) return;
  EXPECT_EQ(seen.size(), 200'000u);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  int messages = 0;
  while (mailbox.take()) ++messages;
  EXPECT_EQ(messages, 4 * (world().ranks - 1));
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

// The rest of the letter is longer than MPI sends eagerly.
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
}  // namespace regroup::mailbox_test
