// SPDX-License-Identifier: BSD-3-Clause
//
// The engine of virtual time does not take everything: balancers that break their contract, and
// what it says about them.
#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>

#include "kernel/virtual/engine.hpp"
#include "tests/scripted.hpp"

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Decision work(std::int64_t items) { return {Work{items, false}, {}}; }
Decision wait() { return {Wait{}, {}}; }
Decision exchange() { return {Exchange{}, {}}; }
Decision stop() { return {Stop{}, {}}; }
Decision merge(RankRange ranks, int walker, std::int64_t items) {
  return {Merge{ranks, walker, items}, {}};
}
Decision then_send(Decision decision, int to) {
  decision.send = Outgoing{to, {}};
  return decision;
}

/// Groups of one rank each with so many items, which take a second.
Run run_of(std::vector<std::int64_t> items, Scripted::Script script,
           Scripted::Partition partition = {}) {
  Run run;
  run.ranks = static_cast<int>(items.size());
  for (int rank = 0; rank < run.ranks; ++rank) run.groups.push_back({rank, rank});
  run.items = std::move(items);
  run.balancer = std::make_shared<Scripted>(std::move(script), std::move(partition));
  run.item_time = ItemTime([](int) { return 1.0; }, 0, 1);
  return run;
}

void expect_broken(const Run& run, const std::string& what) {
  EXPECT_THAT([&] { simulate(run); }, ThrowsMessage<std::logic_error>(HasSubstr(what)));
}

// ---- the law of regrouping

/// Who has one rank merges; who has two does its items and stops.
Scripted::Script merging(int walker, std::int64_t items) {
  return [=](const Knowledge& known) {
    if (known.group.size() == 1) return merge({0, 1}, walker, items);
    return known.items_left > 0 ? work(known.items_left) : stop();
  };
}

TEST(EngineOfABrokenBalancer, HasNothingAgainstAMergeThatKeepsTheLaw) {
  EXPECT_EQ(simulate(run_of({0, 4}, merging(1, 4))).lives.size(), 3u);
}

TEST(EngineOfABrokenBalancer, CatchesAMergeThatLosesAnItemOrDoesItTwice) {
  expect_broken(run_of({0, 4}, merging(1, 3)),
                "group 0-1 takes over 3 items of walker 1, but group 1 left 4 of walker 1 at 0 s");
  expect_broken(run_of({0, 4}, merging(1, 5)), "group 0-1 takes over 5 items of walker 1");
}

TEST(EngineOfABrokenBalancer, CatchesAMergeThatGoesOnWithAnotherWalker) {
  expect_broken(run_of({0, 4}, merging(0, 4)), "group 0-1 takes over 4 items of walker 0");
}

TEST(EngineOfABrokenBalancer, CatchesAMergeThatLosesTheItemsOfALeftPart) {
  expect_broken(run_of({3, 0}, merging(1, 0)),
                "group 0-1 forms, and 3 items of walker 0 are lost that group 0 had left");
}

/// Of the ranks 0 and 1, `early` comes to their merge at once and the other one when it has done an
/// item. Meanwhile rank 2 sends `early` a message.
Run run_with_a_message_to(int early) {
  const auto script = [=](const Knowledge& known) {
    if (known.group.lo == 2) return then_send(stop(), early);
    if (known.group.size() == 1) return known.items_left > 0 ? work(1) : merge({0, 1}, 1, 0);
    return known.message ? stop() : wait();
  };
  return run_of(
      early == 0 ? std::vector<std::int64_t>{0, 1, 0} : std::vector<std::int64_t>{1, 0, 0}, script);
}

TEST(EngineOfABrokenBalancer, CatchesAMergeWithAMessageUnread) {
  expect_broken(run_with_a_message_to(1), "group 1 merges with a message unread at 1 s");
}

TEST(EngineOfABrokenBalancer, HasNothingAgainstAMessageToTheLeaderThatStays) {
  EXPECT_EQ(simulate(run_with_a_message_to(0)).lives.size(), 4u);
}

TEST(EngineOfABrokenBalancer, CatchesAPartitionThatCutsAGroup) {
  auto run = run_of(
      {0, 0, 0, 0}, [](const Knowledge&) { return exchange(); },
      [](std::span<const GroupLoad>) {
        return std::vector<RankRange>{{0, 1}, {2, 3}};
      });
  run.groups = {{0, 0}, {1, 2}, {3, 3}};
  run.items.pop_back();
  expect_broken(run, "group 0-1 forms and cuts group 1-2 in two");
}

// ---- what else a balancer must not do

TEST(EngineOfABrokenBalancer, CatchesWorkWithoutItemsAndOnItemsThatAreNotThere) {
  for (const std::int64_t items : {-1, 0, 4}) {
    expect_broken(run_of({3}, [=](const Knowledge&) { return work(items); }),
                  "group 0 works without items");
  }
}

TEST(EngineOfABrokenBalancer, CatchesAMergeWithoutOneself) {
  expect_broken(run_of({0, 0},
                       [](const Knowledge&) {
                         return merge({1, 1}, 1, 0);
                       }),
                "group 0 merges without itself");
}

TEST(EngineOfABrokenBalancer, CatchesAStopWithItemsOrWithAMessageUnread) {
  expect_broken(run_of({1}, [](const Knowledge&) { return stop(); }), "group 0 stops too early");
  const auto writes_twice = [](const Knowledge& known) {
    if (known.group.lo > 0) return then_send(stop(), 0);
    return known.items_left > 0 ? work(1) : stop();
  };
  expect_broken(run_of({1, 0, 0}, writes_twice), "group 0 stops too early at 1 s");
}

TEST(EngineOfABrokenBalancer, CatchesAMessageToAGroupThatHasStopped) {
  const auto script = [](const Knowledge& known) {
    return known.group.lo == 0 ? stop() : then_send(stop(), 0);
  };
  expect_broken(run_of({0, 0}, script), "group 0 gets a message after its end");
}

TEST(EngineOfABrokenBalancer, CatchesAMessageToAGroupThatIsPartOfAnother) {
  const auto script = [](const Knowledge& known) {
    if (known.group.lo == 2) return known.items_left > 0 ? work(1) : then_send(stop(), 1);
    return known.group.size() == 1 ? merge({0, 1}, 1, 0) : stop();
  };
  expect_broken(run_of({0, 0, 1}, script), "group 1 gets a message after its end at 1 s");
}

TEST(EngineOfABrokenBalancer, CatchesAPartitionThatLeavesOutAGroup) {
  expect_broken(run_of(
                    {0, 0}, [](const Knowledge&) { return exchange(); },
                    [](std::span<const GroupLoad>) {
                      return std::vector<RankRange>{{1, 1}};
                    }),
                "group 0 is not in the partition");
}

TEST(EngineOfABrokenBalancer, CatchesAPartitionWithMoreThanAllGroups) {
  expect_broken(run_of(
                    {0, 0}, [](const Knowledge&) { return exchange(); },
                    [](std::span<const GroupLoad>) {
                      return std::vector<RankRange>{{0, 0}, {1, 1}, {2, 2}};
                    }),
                "group 1 is followed by more in the partition");
}

TEST(EngineOfABrokenBalancer, CatchesAStandstill) {
  expect_broken(run_of({0, 0}, [](const Knowledge&) { return wait(); }),
                "standstill at 0 s with 2 groups that have not stopped");
}

}  // namespace
}  // namespace regroup
