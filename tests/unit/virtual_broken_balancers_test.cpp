// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>

#include "engines/virtual/engine.hpp"
#include "tests/decisions.hpp"

namespace regroup::virtual_broken_balancers_test {
namespace {

using namespace decisions;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Balancers that violate their contract, and the errors that the virtual engine reports.

/// Returns a run of groups of one rank with the given numbers of items, which take a second each.
RunInput run_of(std::vector<std::int64_t> items, Scripted::Script script,
                Scripted::Plan plan = {}) {
  RunInput run;
  run.ranks = static_cast<int>(items.size());
  run.groups = StartingGroups::equal(run.ranks, 1);
  run.items = std::move(items);
  run.balancer = std::make_shared<Scripted>(std::move(script), std::move(plan));
  run.item_time = ItemTime([](int) { return 1.0; }, 0, 1);
  return run;
}

void expect_broken(const RunInput& run, const std::string& what) {
  EXPECT_THAT([&] { simulate(run); }, ThrowsMessage<std::logic_error>(HasSubstr(what)));
}

// ---- the law of regrouping

/// Groups of one rank merge; a group of two executes its items and stops.
Scripted::Script merging(int walker, std::int64_t items) {
  return [=](const Knowledge& known) {
    if (known.group.ranks.size() == 1) return merge({0, 1}, walker, items);
    return items_left(known) > 0 ? work(items_left(known)) : stop();
  };
}

TEST(EngineOfABrokenBalancer, HasNothingAgainstAMergeThatKeepsTheLaw) {
  EXPECT_EQ(simulate(run_of({0, 4}, merging(1, 4))).lives.size(), 3u);
}

TEST(EngineOfABrokenBalancer, CatchesMergesThatLoseChangeOrMakeUpItems) {
  for (const std::int64_t items : {3, 5}) {
    expect_broken(run_of({0, 4}, merging(1, items)),
                  "group 0-1 forms, and 4 items of walker 1 are lost that group 1 had left at 0 s");
  }
  expect_broken(run_of({0, 4}, merging(0, 4)), "4 items of walker 1 are lost");
  expect_broken(run_of({3, 0}, merging(1, 0)),
                "group 0-1 forms, and 3 items of walker 0 are lost that group 0 had left");
  for (const int walker : {0, 1, 2}) {
    expect_broken(run_of({0, 0}, merging(walker, 2)),
                  "group 0-1 takes over 2 items of walker " + std::to_string(walker));
  }
}

/// Makes the same decision in all groups.
Scripted::Script all_regroup(std::vector<Group> groups) {
  return [=](const Knowledge&) { return Decision{Regroup{groups}, {}}; };
}

/// Returns a run of one group of the ranks 0 to `hi`.
RunInput one_group(int hi, std::int64_t items, Scripted::Script script) {
  RunInput run = run_of({items}, std::move(script));
  run.ranks = hi + 1;
  run.groups = {{0, hi}};
  return run;
}

TEST(EngineOfABrokenBalancer, CatchesDivisionsAgainstTheLaw) {
  expect_broken(one_group(2, 0, all_regroup({{{0, 0}, {}, {}}, {{2, 2}, {}, {}}})),
                "group 0-2 becomes group 0, group 2, and some of its ranks are lost at 0 s");
  expect_broken(one_group(2, 0, all_regroup({{{0, 1}, {}, {}}, {{1, 2}, {}, {}}})),
                "group 0-1, group 1-2 form, and have a rank in common");
  expect_broken(one_group(1, 3, all_regroup({{{0, 0}, {0, 3}, {}}, {{1, 1}, {0, 3}, {}}})),
                "walker 0 is in two of them");
  expect_broken(one_group(1, 3, all_regroup({{{0, 0}, {0, 2}, {}}, {{1, 1}, {0, 1}, {}}})),
                "3 items of walker 0 are lost that group 0-1 had left");
  expect_broken(run_of({3, 0}, all_regroup({{{0, 0}, {0, 3}, {}}, {{1, 1}, {1, 2}, {}}})),
                "group 1 takes over 2 items of walker 1, but there are 0 items of walker 1");
  expect_broken(run_of({3, 2}, all_regroup({{{0, 0}, {1, 2}, {}}, {{1, 1}, {}, {}}})),
                "3 items of walker 0 are lost that group 0 had left");
  expect_broken(run_of({0, 0}, all_regroup({{{1, 1}, {}, {}}})),
                "group 0 becomes group 1, and some of its ranks are lost");
  for (const RankSet& ranks : {RankSet(), RankSet(-1, 1), RankSet(0, 2)}) {
    expect_broken(run_of({0, 0}, all_regroup({{{0, 1}, {}, {}}, {ranks, {}, {}}})),
                  "group 0 forms a group of ranks that there are not at 0 s");
  }
}

TEST(EngineOfABrokenBalancer, CatchesGroupsThatRegroupOtherwiseThanOthers) {
  for (const Regroup& other : {merged({0, 1}, {1, 2}), Regroup{{{{0, 1}, {1, 4}, {1}}}},
                               Regroup{{{{0, 0}, {}, {}}, {{1, 1}, {1, 4}, {}}}}}) {
    const auto script = [=](const Knowledge& known) -> Decision {
      if (known.group.leader() == 0) return {other, {}};
      return merge({0, 1}, 1, 4);
    };
    expect_broken(run_of({0, 4}, script), "group 1 regroups otherwise than others at 0 s");
  }
}

TEST(EngineOfABrokenBalancer, CatchesARegroupingToWhichNotAllCome) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 0 ? merge({0, 1}, 1, 0) : wait();
  };
  expect_broken(run_of({0, 0}, script), "standstill at 0 s with 2 groups");
}

// ---- plans

TEST(EngineOfABrokenBalancer, CatchesPlansAgainstTheLaw) {
  const auto expect = [](std::vector<std::int64_t> items, std::vector<Group> groups,
                         const std::string& what) {
    const auto script = [](const Knowledge&) { return exchange(); };
    const auto plan = [=](std::span<const Group>) { return groups; };
    expect_broken(run_of(std::move(items), script, plan), what);
  };
  const Group none = group({0, 0}, {0, 0});
  expect({0, 0}, {group({1, 1}, {1, 0})},
         "group 0, group 1 become group 1, which are other ranks at 0 s");
  expect({0, 0, 0}, {group({0, 1}, {1, 0})}, "become group 0-1, which are other ranks");
  expect({0, 0}, {none, group({1, 1}, {1, 0}), group({2, 2}, {2, 0})},
         "group 0, group 1 become group 0, group 1, group 2, which are other ranks");
  expect({0, 0}, {none, group({1, 1}, {1, 0}), group({1, 1}, {1, 0})},
         "group 0, group 1, group 1 form, and have a rank in common at 0 s");
  expect({0, 0}, {none, group({1, 1}, {1, 0}), group({}, {-1, 0})}, "a group of nobody forms");
  expect({0, 3}, {group({0, 1}, {1, 2})}, "takes over 2 items of walker 1");
  expect({0, 3}, {none, group({1, 1}, {-1, 0})},
         "3 items of walker 1 are lost that group 1 had left");
  expect({0, 3}, {group({0, 0}, {1, 3}), group({1, 1}, {1, 3})},
         "group 0, group 1 form, and walker 1 is in two of them");
}

TEST(EngineOfABrokenBalancer, CatchesAnExchangeToWhichSomebodyCannotComeAnyMore) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 0 ? stop() : exchange();
  };
  expect_broken(run_of({0, 0}, script), "standstill at 0 s with 1 groups");
}

// ---- other violations of the contract

TEST(EngineOfABrokenBalancer, CatchesWorkWithoutItemsAndOnItemsThatAreNotThere) {
  for (const std::int64_t items : {-1, 0, 4}) {
    expect_broken(run_of({3}, [=](const Knowledge&) { return work(items); }),
                  "group 0 works without items");
  }
}

TEST(EngineOfABrokenBalancer, CatchesAStopWithItemsOrWithAMessageUnread) {
  expect_broken(run_of({1}, [](const Knowledge&) { return stop(); }), "group 0 stops too early");
  const auto writes_twice = [](const Knowledge& known) {
    if (known.group.leader() > 0) return then_send(stop(), 0);
    return items_left(known) > 0 ? work(1) : stop();
  };
  expect_broken(run_of({1, 0, 0}, writes_twice), "group 0 stops too early at 1 s");
}

TEST(EngineOfABrokenBalancer, CatchesAMessageToARankThatThereIsNot) {
  for (const int to : {-1, 2}) {
    expect_broken(run_of({0, 0}, [=](const Knowledge&) { return then_send(wait(), to); }),
                  "group 0 sends a message to rank " + std::to_string(to));
  }
}

TEST(EngineOfABrokenBalancer, CatchesAMessageToAGroupThatHasStopped) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 0 ? stop() : then_send(stop(), 0);
  };
  expect_broken(run_of({0, 0}, script), "group 0 gets a message after its end");
}

TEST(EngineOfABrokenBalancer, CatchesAMessageToAPartOfAGroupThatHasStopped) {
  const auto script = [](const Knowledge& known) {
    if (known.group.leader() == 2) return items_left(known) > 0 ? work(1) : then_send(stop(), 1);
    return known.group.ranks.size() == 1 ? merge({0, 1}, 1, 0) : stop();
  };
  expect_broken(run_of({0, 0, 1}, script), "group 0-1 gets a message after its end at 1 s");
}

TEST(EngineOfABrokenBalancer, CatchesAStandstill) {
  expect_broken(run_of({0, 0}, [](const Knowledge&) { return wait(); }),
                "standstill at 0 s with 2 groups that have not stopped");
}

// Messages that wait while a group works. Two messages never wait with the built-in balancers, so a
// scripted one is used.

/// Rank 0 executes an item while ranks 1 and 2 send it a message each. It is shown one message and
/// executes its remaining items while the other one waits. Returns the number of items left at each
/// of its decisions.
std::vector<std::int64_t> left_with_a_message_waiting(bool listening) {
  std::vector<std::int64_t> left;
  RunInput run;
  run.ranks = 3;
  run.groups = {{0, 0}, {1, 1}, {2, 2}};
  run.items = {4, 0, 0};
  run.item_time = ItemTime([](int) { return 1.0; }, 0, 1);
  run.balancer = std::make_shared<Scripted>([&](const Knowledge& known) -> Decision {
    if (known.group.leader() > 0) return {Stop{}, {{0, {}}}};
    const std::int64_t items = known.group.chain.items_left;
    left.push_back(items);
    EXPECT_EQ(known.message.has_value(), left.size() == 2 || left.size() == 3);
    if (items == 4) return {Work{1, false}, {}};
    if (items > 0) return {Work{items, listening}, {}};
    return {Stop{}, {}};
  });
  simulate(run);
  return left;
}

TEST(EngineWithAMessageWaiting, LetsAGroupDoAllItsItemsUnlessItListens) {
  EXPECT_THAT(left_with_a_message_waiting(false), ElementsAre(4, 3, 0));
  EXPECT_THAT(left_with_a_message_waiting(true), ElementsAre(4, 3, 2, 0));
}

}  // namespace
}  // namespace regroup::virtual_broken_balancers_test
