// SPDX-License-Identifier: BSD-3-Clause
//
// Calls of a process to MPI and to the system during a run. The runs have three groups of one rank
// each, and items of 24 ms.
#include "engines/mpi/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "engines/mpi/engine.hpp"
#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/tags.hpp"
#include "engines/virtual/engine.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "regroup/numbers.hpp"
#include "tests/mpi/fixtures.hpp"
#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/world.hpp"
#include "tests/tasks.hpp"

namespace regroup::process_test {
namespace {

constexpr const char* releasing = "asynchronous(finished_groups=release listen_ms=1)";
constexpr const char* merging = "asynchronous(finished_groups=merge listen_ms=20)";

/// Returns a run with `multiplier` · (rank mod `modulus`) items.
Task task_of(int multiplier, int modulus, std::string balancer, std::string communicator) {
  return run_of(catalog(),
                {{"ranks", std::to_string(world().ranks)},
                 {"group_size", "1"},
                 {"item_ms", "24"},
                 {"workload", fmt::format("cyclic(multiplier={} modulus={})", multiplier, modulus)},
                 {"balancer", std::move(balancer)},
                 {"communicator", std::move(communicator)},
                 {"waiting", crowded_waiting()}});
}

/// Executes the run while `watch` observes this process's calls to MPI.
Outcome watched(const Task& task, Watch& watch) {
  barrier();
  const Outcome outcome = execute(task, MPI_COMM_WORLD);
  watch.slow_to_form_s = 0;
  if (world().rank == 0) {
    EXPECT_EQ(first_violation(task, outcome), std::nullopt);
    for (const GroupLife& life : outcome.lives) EXPECT_GE(life.busy_until_s, life.formed_s);
  }
  return outcome;
}

/// Returns how often this process requested a sleep for the time of an item on `ranks` ranks, or
/// slightly less (walker.cpp).
int items_of(const Watch& watch, int ranks, double item_ms) {
  const double item_s = item_ms / 1000 / ranks;
  return static_cast<int>(std::ranges::count_if(watch.sleeps_s, [&](double asked) {
    return asked > item_s - 50e-6 && asked < item_s + 1e-6;
  }));
}

class ProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    if (world().ranks != 3) GTEST_SKIP() << "for three ranks";
  }
};

TEST_F(ProcessTest, HasNothingUnderWayWhenItFormsACommunicatorNorAtTheEnd) {
  Watch watch;
  const Outcome outcome = watched(task_of(5, 3, releasing, "create_group"), watch);
  EXPECT_GE(watch.calls_that_form, 2u);
  EXPECT_EQ(watch.most_open_when_forming, 0u);
  EXPECT_EQ(watch.open_sends(), 0u);
  EXPECT_EQ(outcome.communicators_alive_max, world().rank == 0 ? 1 : 0);
}

TEST_F(ProcessTest, LetsNoOrdersPileUp) {
  const Task task =
      with(task_of(1, 1, "collective(exchange_interval=1)", "create_group"),
           {{"item_ms", "0.01"}, {"group_size", "3"}, {"workload", "constant(mean_items=200)"}});
  Watch watch;
  watched(task, watch);
  EXPECT_LE(watch.most_open_orders, 2u);
}

TEST_F(ProcessTest, AcceptsWhileItHasWorkAndExecutesItemsInTheTimeOfItsGroup) {
  Task task = task_of(12, 3, releasing, "create_group");
  task.run().item_ms = 45;  // a third of it is longer than the wait for the common start
  Watch watch;
  const Outcome outcome = watched(task, watch);
  if (world().rank != 0) return;
  EXPECT_TRUE(std::ranges::any_of(outcome.lives, [](const GroupLife& life) {
    return life.regrouped() && life.items_before > 0;
  }));
  for (int ranks = 1; ranks <= 3; ++ranks) {
    int items = 0;
    for (const GroupLife& life : outcome.lives) {
      const bool ours = life.ranks.lo() == 0 && life.ranks.size() == ranks;
      if (ours) items += static_cast<int>(life.executed_max);
    }
    EXPECT_EQ(items_of(watch, ranks, task.run().item_ms), items) << ranks;
  }
}

TEST_F(ProcessTest, TellsWhenItWasBusyAndWhenItTurnedToTheNextRegrouping) {
  constexpr double slow_s = 0.02;
  Watch watch;
  watch.slow_to_form_s = slow_s;
  const Outcome outcome = watched(task_of(5, 3, releasing, "create_group"), watch);
  if (world().rank != 0) return;
  for (const GroupLife& life : outcome.lives) {
    const auto items = static_cast<double>(life.executed_max);
    EXPECT_GE(life.busy_until_s, life.formed_s + items * 0.024 / life.ranks.size() - 1e-6);
    if (items == 0 && life.ranks.size() == 1) {
      EXPECT_EQ(life.busy_until_s, life.formed_s);
    }
    if (life.ranks.size() == 1) {
      EXPECT_LE(life.busy_until_s, life.ended_s);
    }
    // The parts of the group end before the slow call that forms it.
    for (const GroupLife& part : outcome.lives) {
      if (!life.regrouped() || part.ranks == life.ranks || !life.ranks.contains(part.ranks))
        continue;
      EXPECT_GE(life.formed_s, part.ended_s + slow_s);
    }
  }
}

// Rank 0 works for long; rank 1 has nothing to do and tosses a coin until heads makes it ask rank
// 2, which accepts. After tails, rank 1 listens, in eight naps.
TEST_F(ProcessTest, TossesAFreshCoinOfItsOwnForEveryDecision) {
  Task task = task_of(1, 1, merging, "create_group");
  const auto random = [&](std::uint64_t decision) {
    return random_bits(task.stream(), Purpose::decision, 1, decision);
  };
  const auto tails = [&](std::uint64_t decision) { return (random(decision) & 1) == 0; };
  while (!(tails(1) && tails(2) && !tails(3))) ++task.seed;
  const std::string path = testing::TempDir() + "process_test_trace.csv";
  if (world().rank == 0) std::ofstream(path) << "items\n50\n0\n0\n";
  barrier();
  task.run().workload = workload("trace", {{"trace_file", path}});
  Watch watch;
  watched(task, watch);
  if (world().rank != 1) return;
  std::vector<double> naps;
  std::ranges::copy_if(watch.sleeps_s, std::back_inserter(naps),
                       [](double asked) { return asked < 0.0045; });
  ASSERT_GE(naps.size(), 16u);  // one more if it is late for the common start
  for (std::size_t nap = 0; nap < 16; ++nap) {
    const double listen_s = 0.020 * (0.5 + unit_interval(random(nap < 8 ? 1 : 2)));
    EXPECT_NEAR(naps[naps.size() - 16 + nap], listen_s / 8, 30e-6);
  }
}

TEST_F(ProcessTest, TakesPartInEveryFormingByAParentCollectiveStrategyAndInNoOther) {
  Task task = task_of(3, 4, "collective(exchange_interval=1)", "comm_split");
  task.run().item_ms = 0.5;
  Watch watch;
  watched(task, watch);
  std::set<double> regroupings;
  for (const GroupLife& life : simulate(task).lives) {
    if (life.regrouped()) regroupings.insert(life.formed_s);
  }
  EXPECT_EQ(watch.calls_that_form, 1 + regroupings.size());
}

// Rank 1 answers while rank 0 naps.
TEST(MailboxFromOutside, EndsAWaitWithALimitAfterTheNapInWhichAMessageCame) {
  barrier();
  const Watch watch;
  Outbox outbox;
  Site site(MPI_COMM_WORLD, world().waiter);
  const World ranks(site);
  Mailbox mailbox(ranks, outbox);
  const Message message{1, 1, {1, 1}, {1, 0, 0, 0}};
  if (world().rank == 0) {
    mailbox.send(message, 1);
    mailbox.wait(8);
    const auto is_nap = [](double asked) { return asked > 0.5; };
    EXPECT_LT(std::ranges::count_if(watch.sleeps_s, is_nap), 8);
    EXPECT_EQ(mailbox.take(), message);
  } else if (world().rank == 1) {
    mailbox.wait(std::nullopt);
    EXPECT_EQ(mailbox.take(), message);
    mailbox.send(message, 0);
  }
  outbox.finish(world().waiter);
}

TEST(OutboxFromOutside, HasCompletedAllThatItSentWhenItHasFinished) {
  const Watch watch;
  Outbox outbox;
  for (int letter = 0; letter < 20; ++letter) {
    const int more = letter % 2 == 0 ? 0 : 20;  // in the rest of the letter
    outbox.send(letter_with(letter, more), world().rank, tag_orders, MPI_COMM_WORLD);
  }
  EXPECT_EQ(watch.open_sends(), 30u);
  for (int letter = 0; letter < 20; ++letter) {
    EXPECT_EQ(received_from(world().rank, tag_orders).take(), letter);
  }
  outbox.finish(world().waiter);
  EXPECT_EQ(watch.open_sends(), 0u);
}

TEST(OutboxFromOutside, ReapsWhatHasBeenReceivedAndUsesItsMemoryAgain) {
  const Watch watch;
  Outbox outbox;
  for (const bool reaps : {true, false}) {
    for (int round = 0; round < 100; ++round) {
      const long before = calls_so_far().allocations;
      outbox.send(letter_with(round), world().rank, tag_orders, MPI_COMM_WORLD);
      if (round > 0) {
        EXPECT_EQ(calls_so_far().allocations, before);
      }
      EXPECT_EQ(received_from(world().rank, tag_orders).take(), round);
      if (reaps) {
        for (int look = 0; look < 1000 && watch.open_sends() > 0; ++look) outbox.reap();
      } else {
        outbox.finish(world().waiter);
      }
      ASSERT_EQ(watch.open_sends(), 0u);
    }
  }
}

}  // namespace
}  // namespace regroup::process_test
