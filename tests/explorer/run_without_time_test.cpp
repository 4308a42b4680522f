// SPDX-License-Identifier: BSD-3-Clause
//
// Tests the rules of the explorer one by one: which steps are possible, and which decisions violate
// the contract of balancers. Groups follow a script.
#include "engines/explorer/run_without_time.hpp"

#include <gmock/gmock.h>

#include "engines/explorer/explorer.hpp"
#include "tests/decisions.hpp"

namespace regroup::run_without_time_test {
namespace {

using namespace decisions;

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

using Kind = Step::Kind;
using Script = Scripted::Script;
using Plan = Scripted::Plan;

/// Remembers the outcome of its last coin toss.
class Tossing final : public Scripted {
 public:
  using Scripted::Scripted;

  Decision decide(const Knowledge& known) override {
    coin_ = known.random == 0 ? 0 : memory_of_heads;
    return Scripted::decide(known);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Tossing>(*this); }
  std::vector<std::int64_t> memory() const override { return {coin_}; }

  static inline std::int64_t memory_of_heads = 0;

 private:
  std::int64_t coin_ = 0;
};

Decision regroup(std::vector<Group> groups) { return {Regroup{std::move(groups)}, {}}; }

std::int64_t number_in(const Message& message) { return message.numbers[0]; }

/// A world with one member function per kind of step.
class Stage {
 public:
  Stage(Script script, std::vector<std::int64_t> items, Plan plan = {}, int group_size = 1)
      : world_(Tossing(std::move(script), std::move(plan)), items, group_size) {}

  Stage& decide(int group, bool heads = false) { return take({Kind::decide, group, -1, heads}); }
  Stage& end_item(int group) { return take({Kind::end_item, group}); }
  Stage& time_out(int group) { return take({Kind::time_out, group}); }
  Stage& arrive(int group, int from) { return take({Kind::arrive, group, from}); }

  /// Returns the possible steps, without those in which the coin shows heads.
  std::vector<std::pair<Kind, int>> possible() const {
    std::vector<std::pair<Kind, int>> kinds;
    for (const Step& step : world_.steps()) {
      if (!step.coin) kinds.emplace_back(step.kind, step.group);
    }
    return kinds;
  }

  const RunWithoutTime& world() const { return world_; }
  const RunWithoutTime::Log& log() const { return log_; }

 private:
  Stage& take(const Step& step) {
    log_.clear();
    world_.take(step, &log_);
    return *this;
  }

  RunWithoutTime world_;
  RunWithoutTime::Log log_;
};

std::vector<std::pair<Kind, int>> nothing() { return {}; }

// ---- possible steps

TEST(RunWithoutTime, BeginsWithTheDecisionsOfAllGroups) {
  const Stage stage([](const Knowledge&) { return stop(); }, {0, 0});
  EXPECT_THAT(stage.possible(),
              ElementsAre(std::pair(Kind::decide, 0), std::pair(Kind::decide, 1)));
  EXPECT_FALSE(stage.world().finished());
}

TEST(RunWithoutTime, TossesACoinThatFallsEitherWay) {
  const Script script = [](const Knowledge& known) { return work(known.random == 0 ? 1 : 2); };
  const std::vector<Step> steps =
      RunWithoutTime(Tossing(script), std::vector<std::int64_t>{5}).steps();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NE(steps[0].coin, steps[1].coin);
  EXPECT_THAT(Stage(script, {5}).decide(0, false).log(), Contains(HasSubstr("works on 1 items")));
  EXPECT_THAT(Stage(script, {5}).decide(0, true).log(), Contains(HasSubstr("works on 2 items")));
}

TEST(RunWithoutTime, EndsItemsOneByOneAndLetsTheGroupDecideAfterTheLast) {
  Stage stage([](const Knowledge& known) { return items_left(known) > 0 ? work(2) : stop(); }, {2});
  EXPECT_THAT(stage.decide(0).possible(), ElementsAre(std::pair(Kind::end_item, 0)));
  EXPECT_THAT(stage.end_item(0).log(), ElementsAre(HasSubstr("1 items of walker 0 left")));
  EXPECT_THAT(stage.possible(), ElementsAre(std::pair(Kind::end_item, 0)));
  EXPECT_THAT(stage.end_item(0).log(),
              ElementsAre(HasSubstr("0 items of walker 0 left"), HasSubstr("stops")));
  EXPECT_EQ(stage.possible(), nothing());
  EXPECT_TRUE(stage.world().finished());
}

TEST(RunWithoutTime, EndsAWaitAtAnyTimeWhereItHasALimitAndOnlyThere) {
  Stage limited([](const Knowledge&) { return wait(0.1); }, {0});
  EXPECT_THAT(limited.decide(0).possible(), ElementsAre(std::pair(Kind::time_out, 0)));
  EXPECT_THAT(limited.time_out(0).log(), Contains(HasSubstr("waits for a while")));
  Stage unlimited([](const Knowledge&) { return wait(); }, {0});
  EXPECT_EQ(unlimited.decide(0).possible(), nothing());
}

/// Group 0 sends the numbers 1 and 2 to group 1, which forwards them to group 2.
Decision two_letters(const Knowledge& known) {
  if (known.group.leader() == 0) return then_send(wait(0.1), 1, known.random == 0 ? 1 : 2);
  if (known.group.leader() == 1 && known.message)
    return then_send(wait(), 2, number_in(*known.message));
  return wait();
}

TEST(RunWithoutTime, DeliversTheMessagesOfOneSenderInTheirOrder) {
  Stage stage(two_letters, {0, 0, 0});
  stage.decide(1).decide(0, false).decide(2);
  RunWithoutTime world = stage.world();
  world.take({Kind::time_out, 0, -1, true});
  int arrivals = 0;
  for (const Step& step : world.steps()) arrivals += step.kind == Kind::arrive && !step.coin;
  EXPECT_EQ(arrivals, 1);
  RunWithoutTime::Log log;
  world.take({Kind::arrive, 1, 0}, &log);
  EXPECT_THAT(log, Contains(HasSubstr("message of rank 0 [1,")));
  log.clear();
  world.take({Kind::arrive, 1, 0}, &log);
  EXPECT_THAT(log, Contains(HasSubstr("message of rank 0 [2,")));
}

TEST(RunWithoutTime, DeliversTheMessagesOfTwoSendersInAnyOrder) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 2 ? wait() : then_send(wait(), 2, known.group.leader());
  };
  Stage stage(script, {0, 0, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.possible(), ElementsAre(std::pair(Kind::decide, 2), std::pair(Kind::arrive, 2),
                                            std::pair(Kind::arrive, 2)));
}

TEST(RunWithoutTime, WakesAGroupThatWaitsWithAMessageAndShowsIt) {
  Stage stage(two_letters, {0, 0, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.arrive(1, 0).log(),
              Contains(HasSubstr("sends to rank 2: message of rank 1 [1")));
}

/// All other groups send their number to group 0, which works with or without listening and answers
/// each message that it is shown by sending its number to group 1.
Script worker(bool listening) {
  return [listening](const Knowledge& known) {
    if (known.group.leader() > 0) return then_send(wait(), 0, known.group.leader());
    const Decision next = items_left(known) > 0 ? work(items_left(known), listening) : wait();
    return known.message ? then_send(next, 1, number_in(*known.message)) : next;
  };
}

TEST(RunWithoutTime, InterruptsAListeningGroupAtTheEndOfAnItem) {
  Stage stage(worker(true), {9, 0});
  stage.decide(0).decide(1).end_item(0);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  stage.arrive(0, 1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("to rank 1: message of rank 0 [1,")));
}

TEST(RunWithoutTime, DoesNotInterruptAGroupThatDoesNotListen) {
  Stage stage(worker(false), {3, 0});
  stage.decide(0).decide(1).arrive(0, 1).end_item(0).end_item(0);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("to rank 1: message of rank 0 [1,")));
}

TEST(RunWithoutTime, ShowsTheOldestMessageFirstAndEachOnce) {
  Stage stage(worker(false), {2, 0, 0});
  stage.decide(0).decide(1).decide(2).arrive(0, 2).arrive(0, 1).end_item(0);
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("to rank 1: message of rank 0 [2,")));
  // Group 0 now waits and has a pending message, so it decides at once.
  EXPECT_THAT(stage.possible(), Contains(std::pair(Kind::decide, 0)));
  EXPECT_THAT(stage.decide(0).log(), Contains(HasSubstr("to rank 1: message of rank 0 [1,")));
  EXPECT_THAT(stage.possible(), Each(std::pair(Kind::arrive, 1)));
}

// ---- merges and exchanges

TEST(RunWithoutTime, MergesGroupsWhenAllOfThemHaveDecidedTheSame) {
  Stage stage(
      [](const Knowledge& known) {
        if (known.group.ranks.size() == 2) return work(4);
        return merge({0, 1}, 1, 4);
      },
      {0, 4});
  EXPECT_EQ(stage.decide(1).possible().size(), 1u);
  stage.decide(0);
  EXPECT_THAT(stage.log(), Contains("    group 0-1 forms"));
  EXPECT_THAT(stage.decide(0).log(), Contains(HasSubstr("works on 4 items")));
  EXPECT_THAT(stage.world().words(), ElementsAre(HasSubstr("4 items of walker 1 left")));
}

TEST(RunWithoutTime, DoesNotMergeGroupsThatDecideDifferently) {
  Stage stage(
      [](const Knowledge& known) {
        return merge({0, 1}, 1, known.group.leader());
      },
      {0, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("forms"))));
  EXPECT_EQ(stage.possible(), nothing());
  EXPECT_FALSE(stage.world().finished());
}

TEST(RunWithoutTime, KeepsTheMessagesOfTheGroupThatGoesOnAsTheLeader) {
  const auto script = [](const Knowledge& known) {
    if (known.group.leader() == 2) return then_send(wait(), 0, 7);
    if (known.group.ranks.size() == 2) return then_send(wait(), 2, known.message ? 1 : 0);
    return merge({0, 1}, 1, 0);
  };
  Stage stage(script, {0, 0, 0});
  stage.decide(2).decide(0).arrive(0, 2).decide(1);
  EXPECT_THAT(stage.decide(0).log(), Contains(HasSubstr("message of rank 0 [1,")));
}

std::vector<Group> all_of(std::span<const Group> groups) {
  return {group({groups.front().ranks.lo(), groups.back().ranks.hi()}, groups.back().chain)};
}

TEST(RunWithoutTime, ExchangesLoadsWhenEveryGroupHasCome) {
  std::vector<Group> told;
  const Plan plan = [&](std::span<const Group> groups) {
    told.assign(groups.begin(), groups.end());
    return all_of(groups);
  };
  Stage stage([](const Knowledge&) { return exchange(); }, {0, 0, 5}, plan);
  stage.decide(2).decide(0);
  EXPECT_THAT(told, IsEmpty());
  stage.decide(1);
  EXPECT_THAT(told,
              ElementsAre(group({0, 0}, {0, 0}), group({1, 1}, {1, 0}), group({2, 2}, {2, 5})));
  EXPECT_THAT(stage.world().words(),
              ElementsAre("  group 0-2 is to decide; 5 items of walker 2 left, 0 messages unread"));
}

TEST(RunWithoutTime, GoesOnAfterAnExchangeThatChangesNothing) {
  Stage stage([](const Knowledge&) { return exchange(); }, {1, 1},
              [](auto groups) {
                return std::vector{groups[1], groups[0]};
              });
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("forms"))));
  EXPECT_THAT(stage.possible(),
              ElementsAre(std::pair(Kind::decide, 0), std::pair(Kind::decide, 1)));
}

TEST(RunWithoutTime, DividesGroupsInAnExchangeAndLeavesTheOthers) {
  Stage stage([](const Knowledge&) { return exchange(); }, {3, 0, 4},
              [](auto groups) {
                return std::vector{group({0, 0}), group({1, 3}, {0, 3}), groups[2]};
              },
              2);
  stage.decide(0).decide(2).decide(4);
  EXPECT_THAT(stage.log(), Contains("    group 0 forms"));
  EXPECT_THAT(stage.log(), Contains("    group 1-3 forms"));
  EXPECT_THAT(stage.log(), Not(Contains("    group 4-5 forms")));
  EXPECT_THAT(stage.world().words(),
              ElementsAre(HasSubstr("group 0 is to decide; no chain"),
                          HasSubstr("group 1-3 is to decide; 3 items of walker 0 left"),
                          HasSubstr("group 4-5 is to decide; 4 items of walker 4 left")));
}

// ---- groups that divide

/// Divides group 0-1 into 0 and 1.
Decision divide(const Knowledge& known, Chain left, Chain right) {
  if (known.group.ranks.size() == 1) return wait();
  return regroup({group({0, 0}, left), group({1, 1}, right)});
}

TEST(RunWithoutTime, BeginsWithGroupsOfTheSizeThatItIsTold) {
  const Stage stage([](const Knowledge&) { return stop(); }, {3, 1}, {}, 3);
  EXPECT_THAT(stage.world().words(),
              ElementsAre(HasSubstr("group 0-2 is to decide; 3 items of walker 0 left"),
                          HasSubstr("group 3-5 is to decide; 1 items of walker 3 left")));
}

TEST(RunWithoutTime, LetsAGroupDivideAlone) {
  Stage stage([](const Knowledge& known) { return divide(known, {0, 2}, {}); }, {2}, {}, 2);
  EXPECT_THAT(stage.decide(0).log(),
              ElementsAre(HasSubstr("regroups to group 0 with 2 items of walker 0, group 1 with no "
                                    "chain"),
                          "    group 0 forms", "    group 1 forms"));
  EXPECT_THAT(stage.possible(),
              ElementsAre(std::pair(Kind::decide, 0), std::pair(Kind::decide, 1)));
}

TEST(RunWithoutTime, LetsGroupsGiveEachOtherRanksWhenAllHaveDecidedTheSame) {
  const auto script = [](const Knowledge&) {
    return regroup({group(RankSet::of({{0, 0}, {3, 3}}), {0, 2}), group({1, 2}, {2, 5})});
  };
  Stage stage(script, {2, 5}, {}, 2);
  EXPECT_THAT(stage.decide(2).possible(), ElementsAre(std::pair(Kind::decide, 0)));
  stage.decide(0);
  EXPECT_THAT(stage.world().words(),
              ElementsAre(HasSubstr("group 0 3 is to decide; 2 items of walker 0 left"),
                          HasSubstr("group 1-2 is to decide; 5 items of walker 2 left")));
}

TEST(RunWithoutTime, HandsAChainOverThoughAllRanksStay) {
  const auto script = [](const Knowledge&) {
    return regroup({group({0, 0}), group({1, 1}, {0, 2})});
  };
  Stage stage(script, {2, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.world().words(),
              ElementsAre(HasSubstr("no chain left"), HasSubstr("2 items of walker 0 left")));
}

TEST(RunWithoutTime, DoesNotRegroupThoseThatWantOtherNotes) {
  const auto script = [](const Knowledge& known) {
    return regroup({{{0, 1}, {}, {known.group.leader()}}});
  };
  Stage stage(script, {0, 0});
  stage.decide(0).decide(1);
  EXPECT_EQ(stage.possible(), nothing());
}

TEST(RunWithoutTime, GivesAFreshLeaderItsNote) {
  std::vector<std::vector<std::int64_t>> notes;
  const auto script = [&](const Knowledge& known) {
    notes.push_back(known.group.note);
    if (known.group.ranks.size() == 1) return wait();
    return regroup({{{0, 0}, {}, {5}}, {{1, 1}, {}, {6, 7}}});
  };
  Stage stage(script, {0}, {}, 2);
  stage.decide(0).decide(1).decide(0);
  EXPECT_THAT(notes, ElementsAre(IsEmpty(), ElementsAre(6, 7), ElementsAre(5)));
}

/// Counts its decisions, and sends the count to rank 0 with each decision that does not regroup.
class Counting final : public Balancer {
 public:
  explicit Counting(Script script) : script_(std::move(script)) {}
  Decision decide(const Knowledge& known) override {
    ++decisions_;
    const Decision decision = script_(known);
    const bool regroups = std::holds_alternative<Regroup>(decision.next);
    return regroups ? decision : then_send(decision, 0, decisions_);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Counting>(*this); }
  std::vector<std::int64_t> memory() const override { return {decisions_}; }

 private:
  Script script_;
  std::int64_t decisions_ = 0;
};

TEST(RunWithoutTime, GivesAFreshLeaderAFreshBalancerAndLeavesTheOthersTheirs) {
  // Group 0-1 divides; both halves decide once, merge, and divide again.
  const auto script = [](const Knowledge& known) {
    if (known.group.ranks.size() == 2) return divide(known, {}, {});
    return known.random == 0 ? wait(0.1) : merge({0, 1}, -1, 0);
  };
  RunWithoutTime world(Counting(script), std::vector<std::int64_t>{0}, 2);
  const auto told = [&](int rank) {
    RunWithoutTime::Log log;
    world.take({Kind::decide, rank}, &log);
    return log.front();
  };
  world.take({Kind::decide, 0});
  EXPECT_THAT(told(1), HasSubstr("message of rank 1 [1,"));
  EXPECT_THAT(told(0), HasSubstr("message of rank 0 [2,"));
  world.take({Kind::time_out, 0, -1, true});
  world.take({Kind::time_out, 1, -1, true});
  world.take({Kind::decide, 0});
  EXPECT_THAT(told(1), HasSubstr("message of rank 1 [1,"));
  EXPECT_THAT(told(0), HasSubstr("message of rank 0 [5,"));
}

// ---- messages to ranks that are not leaders

TEST(RunWithoutTime, PassesAMessageOnToTheLeaderOfARankThatNeverLed) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 2 ? then_send(wait(), 1, 7) : wait();
  };
  Stage stage(script, {0, 0}, {}, 2);
  stage.decide(0).decide(2).arrive(1, 2);
  EXPECT_THAT(
      stage.log(),
      ElementsAre("  message of rank 2 [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] arrives at rank 1"));
  EXPECT_THAT(stage.possible(), ElementsAre(std::pair(Kind::arrive, 0)));
  EXPECT_THAT(
      stage.arrive(0, 1).log(),
      ElementsAre("  message of rank 2 [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] arrives at rank 0",
                  HasSubstr("decides: waits")));
}

/// Ranks 0 and 1 merge; rank 2 sends two messages to rank 1.
Decision merges_or_writes(const Knowledge& known) {
  if (known.group.ranks.size() == 2) return wait();
  if (known.group.leader() < 2) return merge({0, 1}, 1, 0);
  return then_send(wait(0.1), 1, known.random == 0 ? 5 : 6);
}

TEST(RunWithoutTime, PassesAMessageOnToTheLeaderOfARankThatLeadsNoMore) {
  Stage stage(merges_or_writes, {0, 0, 0});
  stage.decide(0).decide(1).decide(0).decide(2).arrive(1, 2);
  EXPECT_THAT(stage.arrive(0, 1).log(), Contains(HasSubstr("message of rank 2 [5,")));
}

TEST(RunWithoutTime, PassesUnreadMessagesOfOneWhoLeadsNoMoreOnInTheirOrder) {
  RunWithoutTime world(Tossing(merges_or_writes), std::vector<std::int64_t>{0, 0, 0});
  const auto take = [&](Step step) {
    RunWithoutTime::Log log;
    world.take(step, &log);
    return log;
  };
  take({Kind::decide, 2});
  take({Kind::time_out, 2, -1, true});
  take({Kind::decide, 1});
  take({Kind::arrive, 1, 2});
  take({Kind::arrive, 1, 2});
  take({Kind::decide, 0});
  EXPECT_THAT(take({Kind::arrive, 0, 1}), Contains(HasSubstr("message of rank 2 [5,")));
  EXPECT_THAT(take({Kind::arrive, 0, 1}), Contains(HasSubstr("message of rank 2 [6,")));
}

TEST(RunWithoutTime, BringsAMessageToARankThatCameToLeadMeanwhile) {
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 2 ? then_send(wait(), 1, 7) : divide(known, {}, {});
  };
  Stage stage(script, {0, 0}, {}, 2);
  stage.decide(2).decide(0).decide(1);
  EXPECT_THAT(stage.arrive(1, 2).log(),
              Contains(HasSubstr("group 1 (coin: tails) decides: waits")));
}

TEST(RunWithoutTime, IsNotFinishedWhileAMessageIsUnderWay) {
  Stage stage(
      [](const Knowledge& known) {
        return known.group.leader() == 0 ? then_send(stop(), 1) : stop();
      },
      {0, 0});
  stage.decide(0).decide(1);
  EXPECT_FALSE(stage.world().finished());
}

// ---- violations of the contract

void expect_broken(Stage& stage, int group, const std::string& what) {
  EXPECT_THAT([&] { stage.decide(group); }, ThrowsMessage<ContractViolation>(HasSubstr(what)));
}

/// Expects a violation when the last of `groups`, which all make the same decision, decides.
void expect_refused(const Decision& decision, std::vector<std::int64_t> items,
                    std::vector<int> groups, const std::string& what, int group_size = 1) {
  Stage stage([&](const Knowledge&) { return decision; }, std::move(items), {}, group_size);
  const int last = groups.back();
  groups.pop_back();
  for (const int group : groups) stage.decide(group);
  expect_broken(stage, last, what);
}

TEST(RunWithoutTime, RefusesWorkAndStopsAndMessagesThatCannotBe) {
  for (const std::int64_t items : {-1, 0, 4}) {
    expect_refused(work(items), {3}, {0}, "group 0 works on");
  }
  expect_refused(stop(), {1}, {0}, "group 0 stops with 1 items of walker 0 left");
  for (const int to : {-1, 2}) {
    expect_refused(then_send(wait(), to), {0, 0}, {0}, "which does not exist");
  }
}

TEST(RunWithoutTime, RefusesRegroupingsAgainstTheLaw) {
  for (const RankRange ranks : {RankRange{0, 0}, {2, 2}}) {
    expect_refused(merge(ranks, 2, 0), {0, 0, 0}, {1}, "and some of its ranks are lost");
  }
  for (const RankRange ranks : {RankRange{-1, 1}, {1, 3}, {3, 3}, {1, 0}}) {
    expect_refused(regroup({group({1, 1}), group(ranks)}), {0, 0, 0}, {1},
                   "which is outside the 3 ranks of the run");
  }
  expect_refused(merge({0, 1}, 1, 0), {3, 0}, {0}, "3 items of walker 0 are lost");
  for (const auto& [walker, items] : {std::pair(0, 4), {1, 3}, {1, 5}}) {
    expect_refused(merge({0, 1}, walker, items), {0, 4}, {0, 1}, "4 items of walker 1 are lost");
  }
  for (const int walker : {0, 1, 2}) {
    expect_refused(merge({0, 1}, walker, 2), {0, 0}, {0, 1},
                   "group 0-1 takes over 2 items of walker " + std::to_string(walker));
  }
  expect_refused(regroup({group({0, 1}, {0, 3})}), {3}, {0},
                 "group 0-2 becomes group 0-1, and some of its ranks are lost", 3);
  expect_refused(regroup({group({0, 1}, {0, 3}), group({1, 2})}), {3}, {0},
                 "group 0-1, group 1-2 form, and have a rank in common", 3);
}

TEST(RunWithoutTime, RefusesAStopWithAMessageUnread) {
  Stage stage(
      [](const Knowledge& known) {
        return known.group.leader() == 0 ? stop() : then_send(wait(), 0);
      },
      {0, 0, 0});
  stage.decide(1).decide(2).arrive(0, 1).arrive(0, 2);  // group 0 is shown the first message only
  expect_broken(stage, 0, "group 0 stops with a message unread");
}

TEST(RunWithoutTime, RefusesMessagesToGroupsThatHaveStoppedAndToTheirParts) {
  const auto script = [](const Knowledge& known) {
    if (known.group.leader() == 2) return then_send(wait(), 1);
    return known.group.ranks.size() == 1 ? merge({0, 1}, 1, 0) : stop();
  };
  Stage stage(script, {0, 0, 0});
  stage.decide(0).decide(1).decide(0).decide(2).arrive(1, 2);
  EXPECT_THAT([&] { stage.arrive(0, 1); },
              ThrowsMessage<ContractViolation>(HasSubstr("arrives at rank 0, which has stopped")));
}

TEST(RunWithoutTime, RefusesDivisionsThatLoseAChainOrHaveItTwiceOrDivideIt) {
  const auto expect = [](Chain left, Chain right, const std::string& what) {
    Stage stage([=](const Knowledge& known) { return divide(known, left, right); }, {3}, {}, 2);
    expect_broken(stage, 0, what);
  };
  expect({}, {}, "3 items of walker 0 are lost that group 0-1 had left");
  expect({0, 2}, {0, 1}, "3 items of walker 0 are lost that group 0-1 had left");
  expect({0, 3}, {0, 3}, "walker 0 is in two of them");
  expect({0, 3}, {0, 0}, "walker 0 is in two of them");
  expect({0, 3}, {1, 1}, "group 1 takes over 1 items of walker 1, which none of group 0-1 has");
}

TEST(RunWithoutTime, RefusesPlansThatAreNone) {
  const Group first = group({0, 0}, {0, 0}), middle = group({1, 1}, {1, 0}),
              last = group({2, 2}, {2, 4});
  const std::vector<std::pair<std::vector<Group>, std::string>> wrong{
      {{group({0, 1})}, "become group 0-1, which are other ranks"},
      {{first, middle}, "become group 0, group 1, which are other ranks"},
      {{first, group({0, 1}), last}, "have a rank in common"},
      {{first, middle, last, last}, "have a rank in common"},
      {{group({0, 3}, {2, 4})}, "which are other ranks"},
      {{first, middle, last, group({3, 3})}, "which are other ranks"},
      {{first, middle, last, group({})}, "a group of nobody forms"},
      {{first, group({1, 2}, {2, 3})}, "takes over 3 items of walker 2"},
      {{first, group({1, 2})}, "4 items of walker 2 are lost that group 2 had left"},
      {{group({0, 0}, {2, 4}), middle, last}, "walker 2 is in two of them"},
      {{group({0, 0}, {5, 1}), middle, last}, "takes over 1 items of walker 5"}};
  for (const auto& [groups, what] : wrong) {
    Stage stage([](const Knowledge&) { return exchange(); }, {0, 0, 4},
                [&](auto) { return groups; });
    stage.decide(0).decide(1);
    expect_broken(stage, 2, what);
  }
}

// ---- equality of worlds

/// Expects different keys after a decision that depends on the coin.
void expect_different(const Script& script, std::vector<std::int64_t> items, int group = 0) {
  EXPECT_NE(Stage(script, items).decide(group, false).world().key(),
            Stage(script, items).decide(group, true).world().key());
}

TEST(WorldKey, IsTheSameWhereNothingDiffers) {
  const Script script = [](const Knowledge&) { return work(1); };
  EXPECT_EQ(Stage(script, {3}).decide(0, false).world().key(),
            Stage(script, {3}).decide(0, true).world().key());
}

TEST(WorldKey, DiffersWithWhatAGroupDoes) {
  const auto either = [](Decision tails, Decision heads) {
    return [=](const Knowledge& known) { return known.random == 0 ? tails : heads; };
  };
  expect_different(either(work(1), work(2)), {3});
  expect_different(either(work(1), work(1, true)), {3});
  expect_different(either(wait(), wait(0.1)), {0});
  expect_different(either(wait(), stop()), {0});
  expect_different(either(merge({0, 1}, 1, 0), merge({0, 2}, 1, 0)), {0, 0, 0});
  expect_different(either(merge({0, 2}, 1, 0), merge({1, 2}, 1, 0)), {0, 0, 0}, 1);
  expect_different(either(merge({0, 1}, 0, 0), merge({0, 1}, 1, 0)), {0, 0, 0});
  expect_different(either(merge({0, 1}, 1, 0), merge({0, 1}, 1, 1)), {0, 0, 0});
  const auto into = [](RankSet one, RankSet other) { return regroup({group(one), group(other)}); };
  expect_different(either(into({0, 1}, {2, 2}), into({0, 0}, {1, 2})), {0, 0, 0});
  expect_different(either(into(RankSet::of({{0, 0}, {2, 2}}), {1, 1}), into({0, 2}, {3, 3})),
                   {0, 0, 0, 0});
  expect_different(either(merge({0, 1}, 1, 0), regroup({{{0, 1}, {1, 0}, {3}}})), {0, 0});
}

TEST(WorldKey, DiffersWithTheGroups) {
  // One group of four ranks that regroups; its ranks and chains differ.
  const auto either = [](std::vector<Group> tails, std::vector<Group> heads) {
    return [=](const Knowledge& known) { return regroup(known.random == 0 ? tails : heads); };
  };
  const auto expect = [&](std::vector<Group> tails, std::vector<Group> heads) {
    const Script script = either(std::move(tails), std::move(heads));
    const std::vector<std::int64_t> items{2};
    EXPECT_NE(Stage(script, items, {}, 4).decide(0, false).world().key(),
              Stage(script, items, {}, 4).decide(0, true).world().key());
  };
  const Chain chain{0, 2};
  const RankSet outer = RankSet::of({{0, 0}, {3, 3}}), even = RankSet::of({{0, 0}, {2, 2}});
  expect({group({0, 1}, chain), group({2, 3})}, {group({0, 3}, chain)});
  expect({group({0, 1}, chain), group({2, 3})}, {group({0, 1}), group({2, 3}, chain)});
  expect({group(outer, chain), group({1, 2})},
         {group(even, chain), group(RankSet::of({{1, 1}, {3, 3}}))});
  expect({group({0, 3}, chain)}, {{{0, 3}, chain, {1}}});
  expect({{{0, 3}, chain, {1}}}, {{{0, 3}, chain, {1, 0}}});
}

TEST(WorldKey, DiffersWithEveryPartOfAMessage) {
  Message some{3, 0, {0, 1}, {5, 6, 7, 8}};
  std::vector<Message> others(7, some);
  others[0].word = 4;
  others[1].ranks = {1, 1};
  others[2].ranks = {};
  for (std::size_t i = 0; i < 4; ++i) ++others[3 + i].numbers[i];
  for (const Message& other : others) {
    const auto script = [&](const Knowledge& known) -> Decision {
      return {Wait{}, {{1, known.random == 0 ? some : other}}};
    };
    expect_different(script, {0, 0});
  }
}

TEST(WorldKey, DiffersWithWhoSentAMessageAndWhereItGoes) {
  const auto writes_to = [](int to) {
    return [=](const Knowledge&) { return then_send(wait(), to); };
  };
  const auto key = [&](int from, int to) {
    return Stage(writes_to(to), {0, 0, 0}).decide(from).decide(1 - from).world().key();
  };
  EXPECT_NE(key(0, 1), key(0, 2));
  EXPECT_EQ(key(0, 2), key(1, 2));
  // A forwarded message is distinguished only by its original sender.
  const auto script = [](const Knowledge& known) {
    return known.group.leader() == 0 ? wait() : then_send(wait(0.1), 1);
  };
  Stage by_two(script, {0, 0, 0}, {}, 2), by_four(script, {0, 0, 0}, {}, 2);
  by_two.decide(2).decide(4).arrive(1, 2);
  by_four.decide(2).decide(4).arrive(1, 4);
  EXPECT_NE(by_two.arrive(0, 1).world().key(), by_four.arrive(0, 1).world().key());
}

TEST(WorldKey, DiffersWithTheItemsLeft) {
  const Script script = [](const Knowledge&) { return stop(); };
  for (const auto& [one, other] :
       {std::pair{0L, 1L}, {1L, 2L}, {1L, 257L}, {300L, 300L + (1L << 40)}}) {
    EXPECT_NE(Stage(script, {one}).world().key(), Stage(script, {other}).world().key());
  }
}

TEST(WorldKey, DiffersWithMessagesUnderWayAndUnread) {
  const Script script = [](const Knowledge& known) {
    if (known.group.leader() == 0) return work(3);
    return then_send(wait(), 0, known.random == 0 ? 8 : 9);
  };
  expect_different(script, {3, 0}, 1);
  EXPECT_NE(Stage(script, {3, 0}).decide(0).decide(1, false).arrive(0, 1).world().key(),
            Stage(script, {3, 0}).decide(0).decide(1, true).arrive(0, 1).world().key());
}

TEST(WorldKey, DiffersWithWhatABalancerRemembers) {
  const Script script = [](const Knowledge&) { return wait(); };
  for (const std::int64_t memory : {1L, 256L, 1L << 40}) {
    Tossing::memory_of_heads = memory;
    expect_different(script, {0});
  }
  Tossing::memory_of_heads = 0;
}

// ---- the exploration

using Starts = std::vector<std::vector<std::int64_t>>;

std::string violation(const Script& script, const Starts& starts) {
  return explore(Tossing(script), starts).violation.value_or("nothing");
}

TEST(RunWithoutTime, IsExploredFromEveryStart) {
  const Script script = [](const Knowledge& known) {
    return items_left(known) == 2 ? work(3) : items_left(known) > 0 ? work(1) : stop();
  };
  EXPECT_EQ(violation(script, Starts{{0}, {1}}), "nothing");
  const std::string found = violation(script, Starts{{0}, {1}, {2}});
  EXPECT_THAT(found, HasSubstr("group 0 works on 3 items and has 2 items of walker 0"));
  EXPECT_THAT(found, HasSubstr("2 items of walker 0 left"));
}

// A group with two items executes them one by one and stops; the coin makes no difference.
TEST(RunWithoutTime, IsExploredStateByState) {
  const Script script = [](const Knowledge& known) {
    return items_left(known) > 0 ? work(1) : stop();
  };
  const Starts starts{{2}};
  const Exploration seen = explore(Tossing(script), starts);
  EXPECT_EQ(seen.states, 4u);  // the start; two items left; one item left; stopped
  EXPECT_EQ(seen.steps, 3u);
  EXPECT_EQ(seen.finals, 1u);
}

TEST(RunWithoutTime, IsToldByAShortestWayToWhatIsWrong) {
  // Heads violates the contract at once; tails executes items first and violates it later.
  const Script script = [](const Knowledge& known) {
    return known.random != 0 || items_left(known) == 1 ? work(9) : work(1);
  };
  const std::string found = violation(script, Starts{{5}});
  EXPECT_THAT(found, Not(HasSubstr("ends an item")));
  EXPECT_THAT(found, HasSubstr("(coin: heads) decides: works on 9 items"));
}

TEST(RunWithoutTime, IsToldAsAStandstillWhereNothingCanHappenAndAsATrapElsewhere) {
  EXPECT_THAT(violation([](const Knowledge&) { return wait(); }, Starts{{0}}),
              HasSubstr("nothing can happen any more"));
  EXPECT_THAT(violation([](const Knowledge&) { return wait(0.1); }, Starts{{0}}),
              HasSubstr("from here on not everybody can stop"));
}

}  // namespace
}  // namespace regroup::run_without_time_test
