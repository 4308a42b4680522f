// SPDX-License-Identifier: BSD-3-Clause
//
// The explorer's own rules, one by one: what may happen next, and what a balancer must not do. Its
// groups do what a script says.
#include "kernel/explorer/run_without_time.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "kernel/explorer/explorer.hpp"

namespace regroup {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

using Kind = Step::Kind;
using Script = std::function<Decision(const Knowledge&)>;
using Partition = std::function<std::vector<RankRange>(std::span<const GroupLoad>)>;

class Scripted final : public Balancer {
 public:
  explicit Scripted(Script script, Partition partition = {})
      : script_(std::move(script)), partition_(std::move(partition)) {}

  Decision decide(const Knowledge& known) override {
    coin_ = known.random == 0 ? 0 : memory_of_heads;
    return script_(known);
  }
  std::vector<RankRange> partition(std::span<const GroupLoad> loads) const override {
    return partition_ ? partition_(loads) : Balancer::partition(loads);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Scripted>(*this); }
  std::vector<std::int64_t> memory() const override { return {coin_}; }

  static inline std::int64_t memory_of_heads = 0;

 private:
  Script script_;
  Partition partition_;
  std::int64_t coin_ = 0;
};

Decision work(std::int64_t items, bool listening = false) { return {Work{items, listening}, {}}; }
Decision wait(std::optional<double> at_most_s = {}) { return {Wait{at_most_s}, {}}; }
Decision exchange() { return {Exchange{}, {}}; }
Decision stop() { return {Stop{}, {}}; }
Decision merge(RankRange ranks, int walker, std::int64_t items) {
  return {Merge{ranks, walker, items}, {}};
}
Decision then_send(Decision decision, int to, std::int64_t number = 0) {
  decision.send = Outgoing{to, {Message::Kind::request, {0, 0}, 0, number}};
  return decision;
}

/// A world whose steps are taken by name.
class Stage {
 public:
  Stage(Script script, std::vector<std::int64_t> items, Partition partition = {})
      : world_(Scripted(std::move(script), std::move(partition)), items) {}

  Stage& decide(int group, bool heads = false) { return take({Kind::decide, group, -1, heads}); }
  Stage& end_item(int group) { return take({Kind::end_item, group}); }
  Stage& time_out(int group) { return take({Kind::time_out, group}); }
  Stage& arrive(int group, int from) { return take({Kind::arrive, group, from}); }

  /// What can happen, without the coin.
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

// ---- what may happen next

TEST(RunWithoutTime, BeginsWithTheDecisionsOfAllGroups) {
  const Stage stage([](const Knowledge&) { return stop(); }, {0, 0});
  EXPECT_THAT(stage.possible(),
              ElementsAre(std::pair(Kind::decide, 0), std::pair(Kind::decide, 1)));
  EXPECT_FALSE(stage.world().finished());
}

TEST(RunWithoutTime, TossesACoinThatFallsEitherWay) {
  const Script script = [](const Knowledge& known) { return work(known.random == 0 ? 1 : 2); };
  const std::vector<Step> steps =
      RunWithoutTime(Scripted(script), std::vector<std::int64_t>{5}).steps();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_NE(steps[0].coin, steps[1].coin);
  EXPECT_THAT(Stage(script, {5}).decide(0, false).log(), Contains(HasSubstr("works on 1 items")));
  EXPECT_THAT(Stage(script, {5}).decide(0, true).log(), Contains(HasSubstr("works on 2 items")));
}

TEST(RunWithoutTime, EndsItemsOneByOneAndLetsTheGroupDecideAfterTheLast) {
  Stage stage([](const Knowledge& known) { return known.items_left > 0 ? work(2) : stop(); }, {2});
  EXPECT_THAT(stage.decide(0).possible(), ElementsAre(std::pair(Kind::end_item, 0)));
  EXPECT_THAT(stage.end_item(0).log(), ElementsAre(HasSubstr("1 left")));
  EXPECT_THAT(stage.possible(), ElementsAre(std::pair(Kind::end_item, 0)));
  EXPECT_THAT(stage.end_item(0).log(), ElementsAre(HasSubstr("0 left"), HasSubstr("stops")));
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

/// Group 0 sends the numbers 1 and 2 to group 1, which passes them on to group 2.
Decision two_letters(const Knowledge& known) {
  if (known.group.lo == 0) return then_send(wait(0.1), 1, known.random == 0 ? 1 : 2);
  if (known.group.lo == 1 && known.message) return then_send(wait(), 2, known.message->items_left);
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
  EXPECT_THAT(log, Contains(HasSubstr("request of group 0 (1 items")));
  log.clear();
  world.take({Kind::arrive, 1, 0}, &log);
  EXPECT_THAT(log, Contains(HasSubstr("request of group 0 (2 items")));
}

TEST(RunWithoutTime, DeliversTheMessagesOfTwoSendersInAnyOrder) {
  const auto script = [](const Knowledge& known) {
    return known.group.lo == 2 ? wait() : then_send(wait(), 2, known.group.lo);
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
              Contains(HasSubstr("sends to rank 2: request of group 0 (1")));
}

/// Groups 1 … send group 0 their number; group 0 works with or without listening, and answers each
/// message that it is shown with its number.
Script worker(bool listening) {
  return [listening](const Knowledge& known) {
    if (known.group.lo > 0) return then_send(wait(), 0, known.group.lo);
    const Decision next = known.items_left > 0 ? work(known.items_left, listening) : wait();
    return known.message ? then_send(next, 1, known.message->items_left) : next;
  };
}

TEST(RunWithoutTime, InterruptsAListeningGroupAtTheEndOfAnItem) {
  Stage stage(worker(true), {9, 0});
  stage.decide(0).decide(1).end_item(0);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  stage.arrive(0, 1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("(1 items of walker 0)")));
}

TEST(RunWithoutTime, DoesNotInterruptAGroupThatDoesNotListen) {
  Stage stage(worker(false), {3, 0});
  stage.decide(0).decide(1).arrive(0, 1).end_item(0).end_item(0);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("decides"))));
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("(1 items of walker 0)")));
}

TEST(RunWithoutTime, ShowsTheOldestMessageFirstAndEachOnce) {
  Stage stage(worker(false), {2, 0, 0});
  stage.decide(0).decide(1).decide(2).arrive(0, 2).arrive(0, 1).end_item(0);
  EXPECT_THAT(stage.end_item(0).log(), Contains(HasSubstr("(2 items of walker 0)")));
  // It waits now, and has a message: it decides at once.
  EXPECT_THAT(stage.possible(), Contains(std::pair(Kind::decide, 0)));
  EXPECT_THAT(stage.decide(0).log(), Contains(HasSubstr("(1 items of walker 0)")));
  EXPECT_THAT(stage.possible(), Each(std::pair(Kind::arrive, 1)));
}

// ---- merges and exchanges

TEST(RunWithoutTime, MergesGroupsWhenAllOfThemHaveDecidedTheSame) {
  Stage stage(
      [](const Knowledge& known) {
        if (known.group.size() == 2) return work(4);
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
  Stage stage([](const Knowledge& known) { return merge({0, 1}, 1, known.group.lo); }, {0, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("forms"))));
  EXPECT_EQ(stage.possible(), nothing());
  EXPECT_FALSE(stage.world().finished());
}

TEST(RunWithoutTime, KeepsTheMessagesOfTheGroupThatGoesOnAsTheLeader) {
  const auto script = [](const Knowledge& known) {
    if (known.group.lo == 2) return then_send(wait(), 0, 7);
    if (known.group.size() == 2) return then_send(wait(), 2, known.message ? 1 : 0);
    return merge({0, 1}, 1, 0);
  };
  Stage stage(script, {0, 0, 0});
  stage.decide(2).decide(0).arrive(0, 2).decide(1);
  EXPECT_THAT(stage.decide(0).log(), Contains(HasSubstr("(1 items")));
}

std::vector<RankRange> all_of(std::span<const GroupLoad> loads) {
  return {{loads.front().ranks.lo, loads.back().ranks.hi}};
}

TEST(RunWithoutTime, ExchangesLoadsWhenEveryGroupHasCome) {
  std::vector<std::int64_t> told;
  const Partition partition = [&](std::span<const GroupLoad> loads) {
    for (const GroupLoad& load : loads) told.push_back(load.items_left);
    return all_of(loads);
  };
  Stage stage([](const Knowledge&) { return exchange(); }, {0, 0, 5}, partition);
  stage.decide(2).decide(0);
  EXPECT_THAT(told, IsEmpty());
  stage.decide(1);
  EXPECT_THAT(told, ElementsAre(0, 0, 5));
  EXPECT_THAT(stage.world().words(),
              ElementsAre("  group 0-2 is to decide; 5 items of walker 2 left, 0 messages unread"));
}

TEST(RunWithoutTime, GoesOnAfterAnExchangeThatChangesNothing) {
  Stage stage([](const Knowledge&) { return exchange(); }, {1, 1},
              [](auto loads) {
                return std::vector<RankRange>{loads[0].ranks, loads[1].ranks};
              });
  stage.decide(0).decide(1);
  EXPECT_THAT(stage.log(), Not(Contains(HasSubstr("forms"))));
  EXPECT_THAT(stage.possible(),
              ElementsAre(std::pair(Kind::decide, 0), std::pair(Kind::decide, 1)));
}

TEST(RunWithoutTime, IsNotFinishedWhileAMessageIsUnderWay) {
  Stage stage(
      [](const Knowledge& known) { return known.group.lo == 0 ? then_send(stop(), 1) : stop(); },
      {0, 0});
  stage.decide(0).decide(1);
  EXPECT_FALSE(stage.world().finished());
}

// ---- what a balancer must not do

void expect_broken(Stage& stage, int group, const std::string& what) {
  EXPECT_THAT([&] { stage.decide(group); }, ThrowsMessage<Broken>(HasSubstr(what)));
}

TEST(RunWithoutTime, RefusesWorkWithoutItemsAndOnItemsThatAreNotThere) {
  for (const std::int64_t items : {-1, 0, 4}) {
    Stage stage([=](const Knowledge&) { return work(items); }, {3});
    expect_broken(stage, 0, "group 0 works on");
  }
}

TEST(RunWithoutTime, RefusesMergesWithoutOneselfAndWithThoseThatAreNotThere) {
  for (const RankRange ranks : {RankRange{0, 0}, {2, 2}, {-1, 1}, {1, 3}}) {
    Stage stage([=](const Knowledge&) { return merge(ranks, 2, 0); }, {0, 0, 0});
    expect_broken(stage, 1, "group 1 merges to group");
  }
}

TEST(RunWithoutTime, RefusesAStopWithItems) {
  Stage stage([](const Knowledge&) { return stop(); }, {1});
  expect_broken(stage, 0, "group 0 stops with 1 items left");
}

TEST(RunWithoutTime, RefusesAStopWithAMessageUnread) {
  Stage stage(
      [](const Knowledge& known) { return known.group.lo == 0 ? stop() : then_send(wait(), 0); },
      {0, 0, 0});
  stage.decide(1).decide(2).arrive(0, 1).arrive(0, 2);  // the first is shown, the second is not
  expect_broken(stage, 0, "group 0 stops with a message unread");
}

TEST(RunWithoutTime, RefusesMessagesToRanksThatDoNotExist) {
  for (const int to : {-1, 2}) {
    Stage stage([=](const Knowledge&) { return then_send(wait(), to); }, {0, 0});
    expect_broken(stage, 0, "which does not exist");
  }
}

TEST(RunWithoutTime, RefusesMessagesToGroupsThatHaveStopped) {
  Stage stage(
      [](const Knowledge& known) { return known.group.lo == 0 ? stop() : then_send(wait(), 0); },
      {0, 0});
  stage.decide(0).decide(1);
  EXPECT_THAT([&] { stage.arrive(0, 1); },
              ThrowsMessage<Broken>(HasSubstr("leads no group any more")));
}

TEST(RunWithoutTime, RefusesMessagesToGroupsThatArePartOfAnother) {
  Stage stage(
      [](const Knowledge& known) {
        return known.group.lo == 2 ? then_send(wait(), 1) : merge({0, 1}, 1, 0);
      },
      {0, 0, 0});
  stage.decide(0).decide(1).decide(2);
  EXPECT_THAT([&] { stage.arrive(1, 2); },
              ThrowsMessage<Broken>(HasSubstr("leads no group any more")));
}

TEST(RunWithoutTime, RefusesMergesThatLoseItems) {
  Stage stage([](const Knowledge&) { return merge({0, 1}, 1, 0); }, {3, 0});
  stage.decide(0);
  expect_broken(stage, 1, "3 items of walker 0 are lost");
}

TEST(RunWithoutTime, RefusesMergesThatLoseMessages) {
  Stage stage(
      [](const Knowledge& known) {
        return known.group.lo == 2 ? then_send(wait(), 1) : merge({0, 1}, 1, 0);
      },
      {0, 0, 0});
  stage.decide(2).decide(1).arrive(1, 2);
  expect_broken(stage, 0, "group 1 merges with a message unread");
}

TEST(RunWithoutTime, RefusesMergesThatGoOnWithAnotherWalkerOrOtherItems) {
  for (const auto& [walker, items] : {std::pair(0, 4), {1, 3}, {1, 5}}) {
    Stage stage([=](const Knowledge&) { return merge({0, 1}, walker, items); }, {0, 4});
    stage.decide(0);
    expect_broken(stage, 1, "takes over");
  }
}

TEST(RunWithoutTime, RefusesPartitionsThatAreNone) {
  const std::vector<std::pair<std::vector<RankRange>, std::string>> wrong{
      {{{0, 1}}, "group 2 is not in the partition"},
      {{{1, 1}, {0, 0}, {2, 2}}, "is no union of groups"},
      {{{0, 0}, {0, 1}, {2, 2}}, "is no union of groups"},
      {{{0, 3}}, "is no union of groups"},
      {{{0, 0}, {3, 3}}, "is no union of groups"}};
  for (const auto& [ranges, what] : wrong) {
    Stage stage([](const Knowledge&) { return exchange(); }, {0, 0, 0},
                [&](auto) { return ranges; });
    stage.decide(0).decide(1);
    expect_broken(stage, 2, what);
  }
}

// ---- which worlds are the same

/// The keys after a decision that depends on the coin.
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
    if (known.group.lo == 0) return work(3);
    return then_send(wait(), 0, known.random == 0 ? 8 : 9);
  };
  expect_different(script, {3, 0}, 1);
  EXPECT_NE(Stage(script, {3, 0}).decide(0).decide(1, false).arrive(0, 1).world().key(),
            Stage(script, {3, 0}).decide(0).decide(1, true).arrive(0, 1).world().key());
}

TEST(WorldKey, DiffersWithWhatABalancerRemembers) {
  const Script script = [](const Knowledge&) { return wait(); };
  for (const std::int64_t memory : {1L, 256L, 1L << 40}) {
    Scripted::memory_of_heads = memory;
    expect_different(script, {0});
  }
  Scripted::memory_of_heads = 0;
}

// ---- the exploration

using Starts = std::vector<std::vector<std::int64_t>>;

std::string violation(const Script& script, const Starts& starts) {
  return explore(Scripted(script), starts).violation.value_or("nothing");
}

TEST(RunWithoutTime, IsExploredFromEveryStart) {
  const Script script = [](const Knowledge& known) {
    return known.items_left == 2 ? work(3) : known.items_left > 0 ? work(1) : stop();
  };
  EXPECT_EQ(violation(script, Starts{{0}, {1}}), "nothing");
  const std::string found = violation(script, Starts{{0}, {1}, {2}});
  EXPECT_THAT(found, HasSubstr("group 0 works on 3 of 2 items"));
  EXPECT_THAT(found, HasSubstr("2 items of walker 0 left"));
}

// One group that works on one item stops; two steps of a coin each.
TEST(RunWithoutTime, IsExploredStateByState) {
  const Script script = [](const Knowledge& known) {
    return known.items_left > 0 ? work(1) : stop();
  };
  const Starts starts{{2}};
  const Exploration seen = explore(Scripted(script), starts);
  EXPECT_EQ(seen.states, 4u);  // 2 left, at work; 1 left, at work; stopped; the start
  EXPECT_EQ(seen.steps, 3u);
  EXPECT_EQ(seen.finals, 1u);
}

TEST(RunWithoutTime, IsToldByAShortestWayToWhatIsWrong) {
  // Heads: wrong at once. Tails: works on, and does it wrong later.
  const Script script = [](const Knowledge& known) {
    return known.random != 0 || known.items_left == 1 ? work(9) : work(1);
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
}  // namespace regroup
