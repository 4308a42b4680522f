// SPDX-License-Identifier: BSD-3-Clause
#include "engines/audit/audit.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <source_location>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup::audit_test {
namespace {

using testing::HasSubstr;
using testing::Optional;

// Correct runs of a few groups, and the audit's report of a single mistake.

GroupLife life(RankSet ranks, int walker, std::int64_t before, std::int64_t after) {
  GroupLife l;
  l.ranks = std::move(ranks);
  l.walker = walker;
  l.items_before = before;
  l.items_after = after;
  l.executed_min = l.executed_max = before - after;
  l.formed_s = 1;
  l.ended_s = 2;
  return l;
}

GroupLife regrouped(GroupLife l) {
  l.began = Turn::regroup;
  return l;
}

GroupLife stopped(GroupLife l) {
  l.ended = Turn::stop;
  return l;
}

/// Groups 0-1, 2-3 and 4-5 with 1, 3 and 6 items. The first joins the second, which has one item
/// left; both then join the third.
struct SmallRun {
  std::vector<RankRange> groups{{0, 1}, {2, 3}, {4, 5}};
  std::vector<std::int64_t> items{1, 3, 6};
  std::vector<GroupLife> lives{
      life({0, 1}, 0, 1, 0),
      life({2, 3}, 2, 3, 1),
      life({4, 5}, 4, 6, 4),
      regrouped(life({0, 3}, 2, 1, 0)),
      stopped(regrouped(life({0, 5}, 4, 4, 0))),
  };

  std::optional<std::string> violation() const { return first_violation(lives, groups, items); }
};

/// A correct run that a test changes; each expectation restores it.
template <class Run>
struct Changed : Run {
  void expect_lawful(std::source_location at = std::source_location::current()) {
    const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), "");
    EXPECT_EQ(this->violation(), std::nullopt);
    static_cast<Run&>(*this) = {};
  }
  void expect_caught(const char* what, std::source_location at = std::source_location::current()) {
    const testing::ScopedTrace trace(at.file_name(), static_cast<int>(at.line()), "");
    EXPECT_THAT(this->violation(), Optional(HasSubstr(what)));
    static_cast<Run&>(*this) = {};
  }
};

/// Walkers 2 and 3 wait behind groups 0 and 1: 0 takes up walker 2, then both merge for walker 3.
struct QueueRun {
  std::vector<RankRange> groups{{0, 0}, {1, 1}};
  std::vector<std::int64_t> items{1, 4};
  Queue queue{{{2, 3, 1}, {3, 2, 1}}, 2};
  std::vector<GroupLife> lives{
      next(life({0, 0}, 0, 1, 0)),
      life({1, 1}, 1, 4, 0),
      taken_up(life({0, 0}, 2, 3, 0)),
      stopped(regrouped(life({0, 1}, 3, 2, 0))),
  };

  static GroupLife next(GroupLife l) {
    l.ended = Turn::next;
    return l;
  }
  static GroupLife taken_up(GroupLife l) {
    l.began = Turn::next;
    return l;
  }
  std::optional<std::string> violation() const {
    return first_violation(lives, groups, items, nullptr, queue);
  }
};

TEST(AuditOfAQueue, CatchesWalkersThatAreTakenUpWronglyOrNotAtAll) {
  Changed<QueueRun> run;
  run.expect_lawful();
  run.lives[3] = stopped(regrouped(life({0, 1}, Chain::none, 0, 0)));
  run.expect_caught("walker 3 waited, and nobody took it up");
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 2, 4, 0));
  run.expect_caught("takes up walker 2 with 4 items, which has 3");
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 4, 3, 0));
  run.expect_caught("has a walker 4, which there is not");
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 1, 0, 0));
  run.expect_caught("takes up walker 1");
  run.lives[1] = QueueRun::next(run.lives[1]);
  run.lives[2] = QueueRun::taken_up(life({0, 1}, 2, 3, 0));
  run.lives[3] = stopped(QueueRun::taken_up(life({0, 1}, 3, 2, 0)));
  run.expect_caught("group 0-1 takes up walker 2, but group 0 had its ranks");
  for (const bool by_regrouping : {false, true}) {  // walker 2 is begun twice
    run.lives[2] = QueueRun::next(run.lives[2]);
    run.lives.insert(run.lives.begin() + 3, QueueRun::taken_up(life({0, 0}, 2, 3, 0)));
    if (by_regrouping) run.lives[2].ended = run.lives[3].began = Turn::regroup;
    run.expect_caught(by_regrouping ? "takes over 3 items of walker 2"
                                    : "takes up walker 2, which group 0 has begun");
  }
}

/// Groups 0-1, 2-3 and 4 with 4, 6 and 1 items; walker 5 waits behind the first. Rank 3 is lost
/// with an unsaved item of walker 2, then ranks 0 and 1; walkers 0 and 5 continue in group 4.
struct RunWithLosses {
  std::vector<RankRange> groups{{0, 1}, {2, 3}, {4, 4}};
  std::vector<std::int64_t> items{4, 6, 1};
  Queue queue{{{5, 3, 1}}, 5};
  std::vector<GroupLife> lives{
      lost(life({0, 1}, 0, 4, 3)),
      lost(life({2, 3}, 2, 6, 5)),
      stopped(life({4, 4}, 4, 1, 0)),
      lost(recovered(life({0, 1}, 0, 3, 2))),
      lost(recovered(life({2, 2}, 2, 5, 4))),
      lost(recovered(life({4, 4}, Chain::none, 0, 0))),
      stopped(recovered(life({2, 2}, 2, 4, 0))),
      QueueRun::next(recovered(life({4, 4}, 0, 2, 0))),
      stopped(QueueRun::taken_up(life({4, 4}, 5, 3, 0))),
  };

  RunWithLosses() { ++lives[1].executed_max; }

  static GroupLife lost(GroupLife l) {
    l.ended = Turn::recover;
    return l;
  }
  static GroupLife recovered(GroupLife l) {
    l.began = Turn::recover;
    return l;
  }
  std::optional<std::string> violation() const {
    return first_violation(lives, groups, items, nullptr, queue);
  }
};

TEST(AuditOfLosses, CatchesWhatSurvivorsDoWrong) {
  Changed<RunWithLosses> run;
  run.expect_lawful();
  run.lives[0].items_after = 4;  // the executed item was not saved
  run.lives[3].items_before = 4;
  run.lives[3].executed_min = run.lives[3].executed_max = 2;
  run.expect_lawful();
  run.lives[6].ranks = RankSet(2, 3);
  run.expect_caught("group 2-3 formed of ranks of which some have missed a recovery");
  run.lives[4].ranks = run.lives[6].ranks = RankSet(2, 3);
  run.expect_caught("recovery 1 lost no rank");
  run.lives[6] = stopped(RunWithLosses::recovered(life({2, 2}, 0, 2, 0)));
  run.expect_caught("group 4 takes over 2 items of walker 0, but group 2 left 0");
  run.lives[6] = stopped(RunWithLosses::recovered(life({2, 2}, Chain::none, 0, 0)));
  run.expect_caught("group 2 left 4 items of walker 2, and nobody went on");
  run.lives[6] = stopped(RunWithLosses::recovered(life({2, 2}, 2, 5, 0)));
  run.expect_caught("takes over 5 items of walker 2, but group 2 left 4");
  run.lives[1].executed_min = 0;  // the leader saved the item during which the other rank was lost
  run.expect_lawful();
  run.lives[1].executed_max = 7;
  run.expect_caught("its members executed 1 to 7");
  run.lives[6].began = Turn::regroup;
  run.expect_caught("came to be by 'regroup' of group 2, which ended by 'recover'");
  run.lives[1].ended = Turn::regroup;
  run.lives[1].executed_max = 1;
  run.expect_caught("came to be by 'recover' of group 2-3, which ended by 'regroup'");
}

/// Rank 4 is lost after group 2-4 has ended and before its new group forms.
TEST(AuditOfLosses, KnowsThatARankMayBeLostBetweenTwoGroups) {
  const std::vector<RankRange> groups{{0, 1}, {2, 4}};
  const std::vector<std::int64_t> items{4, 6};
  std::vector<GroupLife> lives{
      RunWithLosses::lost(life({0, 1}, 0, 4, 3)),
      life({2, 4}, 2, 6, 5),
      RunWithLosses::lost(regrouped(life({2, 3}, 2, 5, 3))),
      stopped(RunWithLosses::recovered(life({0, 1}, 0, 3, 0))),
      stopped(RunWithLosses::recovered(life({2, 3}, 2, 3, 0))),
  };
  lives[1].ended = Turn::regroup;
  EXPECT_EQ(first_violation(lives, groups, items, nullptr, nobody_waits), std::nullopt);
}

TEST(AuditOfLosses, LetsAWalkerWaitThatWasBegun) {
  Changed<RunWithLosses> run;
  run.lives[7] = QueueRun::next(RunWithLosses::recovered(life({4, 4}, Chain::none, 0, 0)));
  run.lives[8] = QueueRun::next(QueueRun::taken_up(life({4, 4}, 0, 2, 0)));
  run.lives.push_back(stopped(QueueRun::taken_up(life({4, 4}, 5, 3, 0))));
  run.expect_lawful();
}

TEST(AuditOfAQueue, CatchesAnEndThatIsNotTheBeginningOfWhatFollows) {
  Changed<QueueRun> run;
  run.lives[0].ended = Turn::regroup;
  run.expect_caught("group 0 came to be by 'next' of group 0, which ended by 'regroup'");
  run.lives[2].ended = Turn::next;
  run.expect_caught("came to be by 'regroup' of group 0, which ended by 'next'");
}

TEST(AuditOfAQueue, TakesIdleGroupsAtTheStartWhereAllWalkersWait) {
  const Queue queue({{0, 2, 1}}, 1);
  const std::vector<RankRange> groups{{0, 0}};
  std::vector<GroupLife> lives{QueueRun::next(life({0, 0}, Chain::none, 0, 0)),
                               stopped(QueueRun::taken_up(life({0, 0}, 0, 2, 0)))};
  EXPECT_EQ(first_violation(lives, groups, {}, nullptr, queue), std::nullopt);
  lives[0].walker = 0;
  EXPECT_THAT(first_violation(lives, groups, {}, nullptr, queue),
              Optional(HasSubstr("started with 0 items of walker 0 instead of no chain")));
}

TEST(Audit, FindsNothingWrongWithCorrectRuns) {
  Changed<SmallRun> run;
  run.expect_lawful();
  // Unrelated groups may appear in any order.
  std::swap(run.lives[0], run.lives[2]);
  std::swap(run.lives[0], run.lives[1]);
  run.expect_lawful();
  // The last group regroups alone.
  run.lives[4].ended = Turn::regroup;
  run.lives.push_back(stopped(regrouped(life({0, 5}, 4, 0, 0))));
  run.expect_lawful();
  // The merged group leaves some ranks out.
  for (const RankRange ranks : {RankRange{0, 2}, {1, 3}, {1, 2}}) {
    run.lives[3].ranks = ranks;
    run.expect_lawful();
  }
  run.items.clear();  // without known initial items
  run.expect_lawful();
}

TEST(Audit, CatchesGroupsThatCannotBe) {
  Changed<SmallRun> run;
  run.lives[0].ranks = {};
  run.expect_caught("has no ranks");
  run.lives[4].ranks = {0, 6};
  run.expect_caught("group 0-6 is outside the 6 ranks");
  run.lives[4].ranks = {-1, 5};
  run.expect_caught("outside the 6 ranks");
  run.lives[2].ended_s = 0.5;
  run.expect_caught("before it formed");
}

TEST(Audit, CatchesItemsThatDoNotAddUp) {
  Changed<SmallRun> run;
  run.lives[1].items_after = 4;
  run.expect_caught("began with 3 items of walker 2");
  run.lives[0] = life({0, 1}, 0, 1, -1);
  run.expect_caught("ended with -1");
  run.lives[2].executed_min = 1;
  run.expect_caught("its members executed 1 to 2");
  run.lives[2].executed_max = 3;
  run.expect_caught("its members executed 2 to 3");
  run.lives[0] = life({0, 1}, 0, 1, 1);
  run.expect_caught("group 0-1 left 1 items of walker 0, and nobody went on");
  run.lives[4] = stopped(regrouped(life({0, 5}, 4, 3, 0)));
  run.expect_caught("takes over 3 items of walker 4, but group 4-5 left 4");
  run.lives[4].walker = 2;
  run.expect_caught("takes over 4 items of walker 2, but group 0-3 left 0");
}

TEST(Audit, CatchesAWrongStart) {
  Changed<SmallRun> run;
  run.lives.erase(run.lives.begin());
  EXPECT_TRUE(run.violation().has_value());
  run.lives = {run.lives.begin() + 1, run.lives.begin() + 2};
  run.expect_caught("1 of 3 groups started");
  run.lives[0].ranks = {0, 0};
  run.expect_caught("not one of the groups at the start");
  run.lives.push_back(run.lives[0]);
  run.expect_caught("not one of the groups at the start");
  run.lives[2] = life({4, 5}, 4, 5, 4);
  run.expect_caught("started with 5 items of walker 4 instead of 6");
  run.lives[2].walker = 2;
  run.expect_caught("instead of 6 items of walker 4");
}

TEST(Audit, CatchesAWrongEnd) {
  Changed<SmallRun> run;
  run.lives[4] = stopped(regrouped(life({0, 5}, 4, 4, 1)));
  run.expect_caught("stopped with 1 items of walker 4 left");
  run.lives[4].ended = Turn::regroup;
  run.expect_caught("group 0-5 did not stop");
  run.lives[0].ended = Turn::stop;
  run.expect_caught("which had stopped");
  // Ranks that no later group contains.
  run.lives[4].ranks = {1, 5};
  run.expect_caught("group 0-3 did not stop");
  run.lives[3].ranks = {0, 2};
  run.lives[4].ranks = RankSet::of({{0, 2}, {4, 5}});
  run.expect_caught("group 2-3 did not stop");
}

TEST(Audit, CatchesAGroupThatComesBeforeItsParts) {
  Changed<SmallRun> run;
  std::swap(run.lives[2], run.lives[4]);
  run.expect_caught("group 0-5 formed before the group of rank 4 began");
  std::swap(run.lives[1], run.lives[3]);
  run.expect_caught("formed before the group of rank 2 began");
}

// ---- divisions, and walkers that are handed over

const RankSet even = RankSet::of({{0, 0}, {2, 2}});
const RankSet rest = RankSet::of({{1, 1}, {3, 5}});

/// Groups 0-3 and 4-5 with 6 and 5 items. The first gives ranks 1 and 3 to the second; both then
/// exchange their walkers; finally the rest of the first divides, and only rank 0 continues.
struct DividingRun {
  std::vector<RankRange> groups{{0, 3}, {4, 5}};
  std::vector<std::int64_t> items{6, 5};
  std::vector<GroupLife> lives{
      life({0, 3}, 0, 6, 4),
      life({4, 5}, 4, 5, 4),
      regrouped(life(even, 0, 4, 3)),
      regrouped(life(rest, 4, 4, 3)),
      regrouped(life(even, 4, 3, 2)),
      stopped(regrouped(life(rest, 0, 3, 0))),
      stopped(regrouped(life({0, 0}, 4, 2, 0))),
      stopped(regrouped(life({2, 2}, Chain::none, 0, 0))),
  };

  std::optional<std::string> violation() const { return first_violation(lives, groups, items); }
};

TEST(AuditOfDivisions, FindsNothingWrongWithCorrectRuns) {
  Changed<DividingRun> run;
  run.expect_lawful();
  // A group keeps a finished walker.
  run.lives[5].ended = Turn::regroup;
  run.lives.push_back(stopped(regrouped(life(rest, 0, 0, 0))));
  run.expect_lawful();
  // A walker pauses and resumes.
  run.lives[4] = regrouped(life(even, Chain::none, 0, 0));
  run.lives[6] = stopped(regrouped(life({0, 0}, 4, 3, 0)));
  run.expect_lawful();
}

TEST(AuditOfDivisions, CatchesRanksThatAreLostOrHeldTwice) {
  Changed<DividingRun> run;
  run.lives.pop_back();
  run.expect_caught("group 0 2 did not stop");
  run.lives[7].ranks = {2, 3};
  run.expect_caught("group 2-3 formed of group 1 3-5, which had stopped");
  run.lives[7].ranks = even;
  run.expect_caught("group 0 2 formed of group 0, which had stopped");
  run.lives[4].ranks = {0, 2};  // neither contains rank 1
  run.lives[5].ranks = {3, 5};
  run.expect_caught("group 0-2 did not stop");
  run.lives[0].ranks = RankSet::of({{0, 1}, {3, 3}});
  run.expect_caught("group 0-1 3 is not one of the groups");
  std::swap(run.lives[1], run.lives[3]);
  run.expect_caught("formed before the group of rank 4 began");
}

TEST(AuditOfDivisions, CatchesWalkersThatAreLostDoubledOrChanged) {
  Changed<DividingRun> run;
  run.lives[6] = stopped(regrouped(life({0, 0}, Chain::none, 0, 0)));
  run.expect_caught("group 0 2 left 2 items of walker 4, and nobody went on");
  run.lives[7] = stopped(regrouped(life({2, 2}, 4, 2, 0)));
  run.expect_caught("group 2 takes over 2 items of walker 4, but group 0 left 0");
  run.lives[7].walker = 4;
  run.expect_caught("group 2 goes on with walker 4, which group 0 took along when it stopped");
  run.lives[5] = stopped(regrouped(life(rest, 0, 2, 0)));
  run.expect_caught("group 1 3-5 takes over 2 items of walker 0, but group 0 2 left 3");
  std::swap(run.lives[2], run.lives[5]);
  run.expect_caught("takes over 3 items of walker 0, but group 0-3 left 4");
}

TEST(AuditOfDivisions, CatchesWalkersThatThereAreNotOrThatNobodyBegan) {
  Changed<DividingRun> run;
  for (const int walker : {-2, 6, std::numeric_limits<int>::max()}) {
    run.lives[7].walker = walker;
    run.expect_caught("group 2 has a walker");
  }
  run.lives[7] = stopped(regrouped(life({2, 2}, Chain::none, 1, 0)));
  run.expect_caught("has a walker -1, which there is not");
  for (const std::int64_t items : {0, 2}) {
    run.lives[7] = stopped(regrouped(life({2, 2}, 1, items, 0)));
    run.expect_caught("group 2 goes on with walker 1, which nobody began");
  }
}

/// SmallRun with times; an item takes at least 1 s.
struct TimedRun : SmallRun {
  TimedRun() {
    const auto time = [&](std::size_t life, double formed, double busy, double ended) {
      lives[life].formed_s = formed;
      lives[life].busy_until_s = busy;
      lives[life].ended_s = ended;
    };
    time(0, 0, 1, 2);
    time(1, 0, 2, 2.5);
    time(2, 0, 2, 4);
    time(3, 3, 4, 4.5);
    time(4, 5, 9, 9);
    law.least_s = [](const GroupLife& l) {
      return static_cast<double>(l.items_before - l.items_after);
    };
  }
  std::optional<std::string> violation() const {
    return first_violation(lives, groups, items, &law);
  }
  TimeLaw law;
};

TEST(AuditOfTimes, CatchesTimesThatCannotBe) {
  Changed<TimedRun> run;
  run.expect_lawful();
  for (double GroupLife::*time :
       {&GroupLife::formed_s, &GroupLife::busy_until_s, &GroupLife::ended_s}) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      run.lives[3].*time = bad;
      run.expect_caught("not a number");
    }
  }
  run.lives[1].formed_s = 0.25;
  run.expect_caught("began at 0.25 s");
  run.lives[3].busy_until_s = 2.75;
  run.expect_caught("busy until 2.75 s");
  for (double GroupLife::*time : {&GroupLife::busy_until_s, &GroupLife::ended_s}) {
    run.lives[4].*time = 8.5;
    run.expect_caught("did 4 items in 3.5 s, which take 4 s");
  }
  for (const std::size_t part : {0u, 1u}) {
    run.lives[part].ended_s = 3.125;
    run.expect_caught("before its part group");
  }
  run.lives[2].busy_until_s = 5.5;
  run.expect_caught("its part group 4-5 ended at 5.5 s");
  run.law.forms_after_its_parts = false;  // then items wait for the last part
  run.lives[2].ended_s = 5.5;
  run.expect_caught("its part group 4-5 ended at 5.5 s");
}

TEST(AuditOfTimes, LetsAGroupFormBeforeAPartOfItEndedWhereNobodyWaits) {
  TimedRun run;
  run.law.forms_after_its_parts = false;
  run.lives[2].ended_s = 5;
  run.lives[4].formed_s = 4.75;
  EXPECT_EQ(run.violation(), std::nullopt);
  run.lives[3].ended_s = 4.875;  // but a leader cannot form a group before its own part ends
  EXPECT_THAT(run.violation(), Optional(HasSubstr("before its part group 0-3")));
}

TEST(AuditOfTimes, AllowsForClocksThatDiffer) {
  TimedRun run;
  run.lives[1].ended_s = 3.125;
  run.lives[3].busy_until_s = 4.25;
  run.law.clocks_apart_s = 0.0625;
  run.law.clocks_drift = 0.03125;
  EXPECT_EQ(run.violation(), std::nullopt);
  run.law.clocks_drift = 0;
  EXPECT_TRUE(run.violation().has_value());
}

TEST(AuditOfTimes, AllowsNothingToOneLeadersClock) {
  TimedRun run;
  run.lives[0].ended_s = 3.125;  // 0-1 and 0-3 have the same leader
  run.law.clocks_apart_s = 1;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("before its part group 0-1")));
}

/// DividingRun with times.
struct TimedDivision : DividingRun {
  TimedDivision() {
    constexpr double times[][3]{{0, 2, 2}, {0, 1, 2}, {3, 4, 4},   {3, 4, 5},
                                {6, 7, 7}, {6, 9, 9}, {8, 10, 10}, {8, 8, 8}};
    for (std::size_t life = 0; life < lives.size(); ++life) {
      lives[life].formed_s = times[life][0];
      lives[life].busy_until_s = times[life][1];
      lives[life].ended_s = times[life][2];
    }
    law.least_s = [](const GroupLife& l) {
      return static_cast<double>(l.items_before - l.items_after);
    };
  }
  std::optional<std::string> violation() const {
    return first_violation(lives, groups, items, &law);
  }
  TimeLaw law;
};

TEST(AuditOfTimesOfDivisions, CatchesGroupsThatFormedTooEarly) {
  Changed<TimedDivision> run;
  run.expect_lawful();
  for (const std::size_t half : {6u, 7u}) {
    run.lives[half].formed_s = 6.5;
    run.expect_caught("before its part group 0 2 ended at 7 s");
  }
  run.lives[3].ended_s = 6.25;  // the walker cannot be handed over earlier
  run.expect_caught("group 0 2 formed at 6 s, before its part group 1 3-5 ended");
}

TEST(AuditOfTimesOfDivisions, CatchesItemsThatWereDoneBeforeTheWalkerWasHandedOver) {
  TimedDivision run;
  run.law.forms_after_its_parts = false;
  run.lives[3].ended_s = 6;
  EXPECT_EQ(run.violation(), std::nullopt);
  run.lives[3].ended_s = 6.25;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0 2 did 1 items until 7 s, which take 1 "
                                                  "s, but its part group 1 3-5 ended at 6.25 s")));
}

/// One group that regroups twice with the same ranks.
TEST(Audit, TakesRegroupingsOfTheSameRanksInTheOrderOfTheirRows) {
  const std::vector<RankRange> groups{{0, 1}};
  const std::vector<std::int64_t> items{6};
  std::vector<GroupLife> lives{life({0, 1}, 0, 6, 5), regrouped(life({0, 1}, 0, 5, 2)),
                               stopped(regrouped(life({0, 1}, 0, 2, 0)))};
  lives[2].formed_s = 0.5;  // irrelevant without a time law
  EXPECT_EQ(first_violation(lives, groups, items), std::nullopt);
  std::swap(lives[1], lives[2]);
  EXPECT_THAT(first_violation(lives, groups, items),
              Optional(HasSubstr("takes over 2 items of walker 0, but group 0-1 left 5")));
}

TEST(Audit, NamesTheLifeThatIsWrong) {
  SmallRun run;
  run.lives[3].walker = 4;
  EXPECT_EQ(find_violation(run.lives, run.groups, run.items)->life, 3u);
}

TEST(Audit, CatchesNumbersThatOverflow) {
  SmallRun run;
  run.lives[0].items_before = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(run.violation().has_value());
  for (const RankRange ranks : {RankRange{0, std::numeric_limits<int>::max() - 1},
                                {std::numeric_limits<int>::min() + 1, -1}}) {
    run = {};
    run.lives[0].ranks = ranks;
    EXPECT_TRUE(run.violation().has_value());
  }
}

}  // namespace
}  // namespace regroup::audit_test
