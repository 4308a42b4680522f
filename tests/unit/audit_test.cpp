// SPDX-License-Identifier: BSD-3-Clause
#include "engines/audit/audit.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup::audit_test {
namespace {

using testing::HasSubstr;
using testing::Optional;

// Correct runs of a few groups, and what the audit says when one thing about them is wrong.

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

/// Groups 0-1, 2-3 and 4-5 with 1, 3 and 6 items: the first joins the second, which has one item
/// left, and both join the third.
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

/// Groups 0 and 1, behind which walkers 2 and 3 wait: the first takes up 2, and 1 joins it in 3.
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

TEST(AuditOfAQueue, FindsNothingWrongWithACorrectRun) {
  EXPECT_EQ(QueueRun().violation(), std::nullopt);
}

TEST(AuditOfAQueue, CatchesAWalkerThatNobodyTakesUp) {
  QueueRun run;
  run.lives[3] = stopped(regrouped(life({0, 1}, Chain::none, 0, 0)));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("walker 3 waited, and nobody took it up")));
}

TEST(AuditOfAQueue, CatchesAWalkerThatIsTakenUpTwice) {
  QueueRun run;
  run.lives[2] = QueueRun::next(run.lives[2]);
  run.lives.insert(run.lives.begin() + 3, QueueRun::taken_up(life({0, 0}, 2, 3, 0)));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes up walker 2, which group 0 has begun")));
  run.lives[3].began = Turn::regroup;
  run.lives[2].ended = Turn::regroup;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes over 3 items of walker 2")));
}

TEST(AuditOfAQueue, CatchesAWalkerWithOtherItemsOrThatDoesNotWait) {
  QueueRun run;
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 2, 4, 0));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes up walker 2 with 4 items, which has 3")));
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 4, 3, 0));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("has a walker 4, which there is not")));
  run.lives[2] = QueueRun::taken_up(life({0, 0}, 1, 0, 0));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes up walker 1")));
}

TEST(AuditOfAQueue, CatchesOtherRanksThatGoOnWithTheNext) {
  QueueRun run;
  run.lives[1] = QueueRun::next(run.lives[1]);
  run.lives[2] = QueueRun::taken_up(life({0, 1}, 2, 3, 0));
  run.lives[3] = stopped(QueueRun::taken_up(life({0, 1}, 3, 2, 0)));
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0-1 takes up walker 2, but group 0 had its ranks")));
}

TEST(AuditOfAQueue, CatchesAnEndThatIsNotTheBeginningOfWhatFollows) {
  QueueRun run;
  run.lives[0].ended = Turn::regroup;
  EXPECT_THAT(
      run.violation(),
      Optional(HasSubstr("group 0 came to be by 'next' of group 0, which ended by 'regroup'")));
  run = {};
  run.lives[2].ended = Turn::next;
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("came to be by 'regroup' of group 0, which ended by 'next'")));
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

TEST(Audit, FindsNothingWrongWithACorrectRun) { EXPECT_EQ(SmallRun().violation(), std::nullopt); }

TEST(Audit, MindsNoOrderOfGroupsThatHaveNothingToDoWithEachOther) {
  SmallRun run;
  std::swap(run.lives[0], run.lives[2]);
  std::swap(run.lives[0], run.lives[1]);
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(Audit, CatchesAGroupThatComesBeforeItsParts) {
  SmallRun run;
  std::swap(run.lives[2], run.lives[4]);
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0-5 formed before the group of rank 4 began")));
  run = {};
  std::swap(run.lives[1], run.lives[3]);
  EXPECT_THAT(run.violation(), Optional(HasSubstr("formed before the group of rank 2 began")));
}

TEST(Audit, FindsNothingWrongWithARegroupingOfOneGroupAlone) {
  SmallRun run;
  run.lives[4].ended = Turn::regroup;
  run.lives.push_back(stopped(regrouped(life({0, 5}, 4, 0, 0))));
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(Audit, CatchesAGroupWithoutRanks) {
  SmallRun run;
  run.lives[0].ranks = {};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("has no ranks")));
}

TEST(Audit, CatchesAGroupBeyondTheRun) {
  SmallRun run;
  run.lives[4].ranks = {0, 6};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0-6 is outside the 6 ranks")));
  run.lives[4].ranks = {-1, 5};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("outside the 6 ranks")));
}

TEST(Audit, CatchesItemsThatCameFromNowhere) {
  SmallRun run;
  run.lives[1].items_after = 4;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("began with 3 items of walker 2")));
}

TEST(Audit, CatchesItemsBelowZero) {
  SmallRun run;
  run.lives[0] = life({0, 1}, 0, 1, -1);
  EXPECT_THAT(run.violation(), Optional(HasSubstr("ended with -1")));
}

TEST(Audit, CatchesAMemberThatExecutedLess) {
  SmallRun run;
  run.lives[2].executed_min = 1;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("its members executed 1 to 2")));
}

TEST(Audit, CatchesAMemberThatExecutedMore) {
  SmallRun run;
  run.lives[2].executed_max = 3;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("its members executed 2 to 3")));
}

TEST(Audit, CatchesAnEndBeforeTheBeginning) {
  SmallRun run;
  run.lives[2].ended_s = 0.5;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("before it formed")));
}

TEST(Audit, CatchesAStopWithItemsLeft) {
  SmallRun run;
  run.lives[4] = stopped(regrouped(life({0, 5}, 4, 4, 1)));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("stopped with 1 items of walker 4 left")));
}

TEST(Audit, CatchesAGroupThatNeverStopped) {
  SmallRun run;
  run.lives[4].ended = Turn::regroup;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0-5 did not stop")));
}

TEST(Audit, CatchesAGroupThatNeverStarted) {
  SmallRun run;
  run.lives.erase(run.lives.begin());
  EXPECT_TRUE(run.violation().has_value());
  run.lives = {run.lives.begin() + 1, run.lives.begin() + 2};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("1 of 3 groups started")));
}

TEST(Audit, CatchesAStartThatWasNotPlanned) {
  SmallRun run;
  run.lives[0].ranks = {0, 0};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("not one of the groups at the start")));
}

TEST(Audit, CatchesAGroupThatStartedTwice) {
  SmallRun run;
  run.lives.push_back(run.lives[0]);
  EXPECT_THAT(run.violation(), Optional(HasSubstr("not one of the groups at the start")));
}

TEST(Audit, CatchesAStartWithOtherItems) {
  SmallRun run;
  run.lives[2] = life({4, 5}, 4, 5, 4);
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("started with 5 items of walker 4 instead of 6")));
}

TEST(Audit, CatchesAStartWithAnotherWalker) {
  SmallRun run;
  run.lives[2].walker = 2;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("instead of 6 items of walker 4")));
}

TEST(Audit, FindsNothingWrongWithAMergeThatDividesAGroup) {
  for (const RankRange ranks : {RankRange{0, 2}, {1, 3}, {1, 2}}) {
    SmallRun run;
    run.lives[3].ranks = ranks;
    EXPECT_EQ(run.violation(), std::nullopt);
  }
}

TEST(Audit, CatchesARankThatNobodyTakesAlong) {
  SmallRun run;
  run.lives[4].ranks = {1, 5};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0-3 did not stop")));
  run = {};
  run.lives[3].ranks = {0, 2};
  run.lives[4].ranks = RankSet::of({{0, 2}, {4, 5}});
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 2-3 did not stop")));
}

TEST(Audit, CatchesAMergeWithAGroupThatHadStopped) {
  SmallRun run;
  run.lives[0].ended = Turn::stop;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("which had stopped")));
}

TEST(Audit, CatchesItemsThatAMergeLeftBehind) {
  SmallRun run;
  run.lives[0] = life({0, 1}, 0, 1, 1);
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0-1 left 1 items of walker 0, and nobody went on")));
}

TEST(Audit, CatchesItemsThatWereLostInAMerge) {
  SmallRun run;
  run.lives[4] = stopped(regrouped(life({0, 5}, 4, 3, 0)));
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("takes over 3 items of walker 4, but group 4-5 left 4")));
}

TEST(Audit, CatchesAMergeThatWentOnWithAnotherWalker) {
  SmallRun run;
  run.lives[4].walker = 2;
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("takes over 4 items of walker 2, but group 0-3 left 0")));
}

// ---- groups that divide, and walkers that are handed over

RankSet with_gap(RankRange left, RankRange right) { return RankSet::of({left, right}); }

/// Groups 0-3 and 4-5 with 6 and 5 items. The first gives 1 and 3 to the second; then the two
/// exchange their walkers; then what is left of the first divides, and only 0 goes on working.
struct DividingRun {
  std::vector<RankRange> groups{{0, 3}, {4, 5}};
  std::vector<std::int64_t> items{6, 5};
  std::vector<GroupLife> lives{
      life({0, 3}, 0, 6, 4),
      life({4, 5}, 4, 5, 4),
      regrouped(life(with_gap({0, 0}, {2, 2}), 0, 4, 3)),
      regrouped(life(with_gap({1, 1}, {3, 5}), 4, 4, 3)),
      regrouped(life(with_gap({0, 0}, {2, 2}), 4, 3, 2)),
      stopped(regrouped(life(with_gap({1, 1}, {3, 5}), 0, 3, 0))),
      stopped(regrouped(life({0, 0}, 4, 2, 0))),
      stopped(regrouped(life({2, 2}, Chain::none, 0, 0))),
  };

  std::optional<std::string> violation() const { return first_violation(lives, groups, items); }
};

TEST(AuditOfDivisions, FindsNothingWrongWithACorrectRun) {
  EXPECT_EQ(DividingRun().violation(), std::nullopt);
}

TEST(AuditOfDivisions, FindsNothingWrongWithAWalkerThatIsDoneAndKept) {
  DividingRun run;
  run.lives[5].ended = Turn::regroup;
  run.lives.push_back(stopped(regrouped(life(with_gap({1, 1}, {3, 5}), 0, 0, 0))));
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(AuditOfDivisions, FindsNothingWrongWithAWalkerThatPausesAndGoesOn) {
  DividingRun run;
  run.lives[4].walker = Chain::none;
  run.lives[4] = regrouped(life(with_gap({0, 0}, {2, 2}), Chain::none, 0, 0));
  run.lives[6] = stopped(regrouped(life({0, 0}, 4, 3, 0)));
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(AuditOfDivisions, CatchesARankThatIsLost) {
  DividingRun run;
  run.lives.pop_back();
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0 2 did not stop")));
}

TEST(AuditOfDivisions, CatchesARankThatIsHeldTwice) {
  DividingRun run;
  run.lives[7].ranks = {2, 3};
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 2-3 formed of group 1 3-5, which had stopped")));
  run.lives[7].ranks = with_gap({0, 0}, {2, 2});
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0 2 formed of group 0, which had stopped")));
}

TEST(AuditOfDivisions, CatchesARankThatBothLeaveToTheOther) {
  DividingRun run;
  run.lives[4].ranks = {0, 2};
  run.lives[5].ranks = {3, 5};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0-2 did not stop")));
}

TEST(AuditOfDivisions, CatchesAWalkerThatIsLost) {
  DividingRun run;
  run.lives[6] = stopped(regrouped(life({0, 0}, Chain::none, 0, 0)));
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0 2 left 2 items of walker 4, and nobody went on")));
}

TEST(AuditOfDivisions, CatchesAWalkerThatTwoGoOnWith) {
  DividingRun run;
  run.lives[7] = stopped(regrouped(life({2, 2}, 4, 2, 0)));
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 2 takes over 2 items of walker 4, but group 0 left 0")));
}

TEST(AuditOfDivisions, CatchesAWalkerThatStoppedWithAGroup) {
  DividingRun run;
  run.lives[7].walker = 4;
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr(
                  "group 2 goes on with walker 4, which group 0 took along when it stopped")));
}

TEST(AuditOfDivisions, CatchesAWalkerThatThereIsNot) {
  for (const int walker : {-2, 6, std::numeric_limits<int>::max()}) {
    DividingRun run;
    run.lives[7].walker = walker;
    EXPECT_THAT(run.violation(), Optional(HasSubstr("group 2 has a walker")));
  }
  DividingRun run;
  run.lives[7] = stopped(regrouped(life({2, 2}, Chain::none, 1, 0)));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("has a walker -1, which there is not")));
}

TEST(AuditOfDivisions, CatchesAWalkerThatNobodyBegan) {
  for (const std::int64_t items : {0, 2}) {
    DividingRun run;
    run.lives[7] = stopped(regrouped(life({2, 2}, 1, items, 0)));
    EXPECT_THAT(run.violation(),
                Optional(HasSubstr("group 2 goes on with walker 1, which nobody began")));
  }
}

TEST(AuditOfDivisions, CatchesItemsThatChangeOnTheWay) {
  DividingRun run;
  run.lives[5] = stopped(regrouped(life(with_gap({1, 1}, {3, 5}), 0, 2, 0)));
  EXPECT_THAT(
      run.violation(),
      Optional(HasSubstr("group 1 3-5 takes over 2 items of walker 0, but group 0 2 left 3")));
}

TEST(AuditOfDivisions, CatchesRowsInWhichAWalkerGoesBack) {
  DividingRun run;
  std::swap(run.lives[2], run.lives[5]);
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes over 3 items of walker 0, but group 0-3 "
                                                  "left 4")));
}

TEST(AuditOfDivisions, CatchesAStartWithAGap) {
  DividingRun run;
  run.lives[0].ranks = with_gap({0, 1}, {3, 3});
  EXPECT_THAT(run.violation(), Optional(HasSubstr("group 0-1 3 is not one of the groups")));
}

TEST(AuditOfDivisions, CatchesAStartAfterItsRanksWereTaken) {
  DividingRun run;
  std::swap(run.lives[1], run.lives[3]);
  EXPECT_THAT(run.violation(), Optional(HasSubstr("formed before the group of rank 4 began")));
}

/// The same run with times as groups of two ranks have that take 1 s for an item.
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

TEST(AuditOfTimes, FindsNothingWrongWithACorrectRun) {
  EXPECT_EQ(TimedRun().violation(), std::nullopt);
}

TEST(AuditOfTimes, CatchesATimeThatIsNoNumber) {
  for (double GroupLife::*time :
       {&GroupLife::formed_s, &GroupLife::busy_until_s, &GroupLife::ended_s}) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      TimedRun run;
      run.lives[3].*time = bad;
      EXPECT_THAT(run.violation(), Optional(HasSubstr("no number")));
    }
  }
}

TEST(AuditOfTimes, CatchesAStartThatIsNotTheCommonOne) {
  TimedRun run;
  run.lives[1].formed_s = 0.25;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("began at 0.25 s")));
}

TEST(AuditOfTimes, CatchesALastItemBeforeTheGroupWasThere) {
  TimedRun run;
  run.lives[3].busy_until_s = 2.75;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("busy until 2.75 s")));
}

TEST(AuditOfTimes, CatchesItemsThatTookTooLittleTime) {
  TimedRun run;
  run.lives[4].busy_until_s = 8.5;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("did 4 items in 3.5 s, which take 4 s")));
}

TEST(AuditOfTimes, CatchesAGroupThatEndedBeforeItsItemsCanHave) {
  TimedRun run;
  run.lives[4].ended_s = 8.5;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("did 4 items in 3.5 s, which take 4 s")));
}

TEST(AuditOfTimes, CatchesAGroupThatFormedBeforeAPartOfItEnded) {
  for (const std::size_t part : {0u, 1u}) {
    TimedRun run;
    run.lives[part].ended_s = 3.125;
    EXPECT_THAT(run.violation(), Optional(HasSubstr("before its part group")));
  }
}

TEST(AuditOfTimes, LetsAGroupFormBeforeAPartOfItEndedWhereNobodyWaits) {
  TimedRun run;
  run.law.forms_after_its_parts = false;
  run.lives[2].ended_s = 5;
  run.lives[4].formed_s = 4.75;
  EXPECT_EQ(run.violation(), std::nullopt);
  run.lives[3].ended_s = 4.875;  // but a leader is its own part's
  EXPECT_THAT(run.violation(), Optional(HasSubstr("before its part group 0-3")));
}

TEST(AuditOfTimes, CatchesItemsThatWereDoneBeforeAMemberCame) {
  TimedRun run;
  run.law.forms_after_its_parts = false;
  run.lives[2].ended_s = 5.5;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("its part group 4-5 ended at 5.5 s")));
}

TEST(AuditOfTimes, CatchesAPartThatWasBusyWhenTheWholeWasDone) {
  TimedRun run;
  run.lives[2].busy_until_s = 5.5;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("its part group 4-5 ended at 5.5 s")));
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

/// The dividing run with times.
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

TEST(AuditOfTimesOfDivisions, FindsNothingWrongWithACorrectRun) {
  EXPECT_EQ(TimedDivision().violation(), std::nullopt);
}

TEST(AuditOfTimesOfDivisions, CatchesAHalfThatFormedBeforeTheWholeEnded) {
  for (const std::size_t half : {6u, 7u}) {
    TimedDivision run;
    run.lives[half].formed_s = 6.5;
    EXPECT_THAT(run.violation(), Optional(HasSubstr("before its part group 0 2 ended at 7 s")));
  }
}

TEST(AuditOfTimesOfDivisions, CatchesAGroupThatHadAWalkerBeforeItWasHandedOver) {
  TimedDivision run;
  run.lives[3].ended_s = 6.25;
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("group 0 2 formed at 6 s, before its part group 1 3-5 ended")));
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

/// One group that regroups with itself twice.
TEST(Audit, TakesRegroupingsOfTheSameRanksInTheOrderOfTheirRows) {
  const std::vector<RankRange> groups{{0, 1}};
  const std::vector<std::int64_t> items{6};
  std::vector<GroupLife> lives{life({0, 1}, 0, 6, 5), regrouped(life({0, 1}, 0, 5, 2)),
                               stopped(regrouped(life({0, 1}, 0, 2, 0)))};
  lives[2].formed_s = 0.5;  // no law of times, no matter
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

TEST(Audit, DoesWithoutItemsThatNobodyKnows) {
  SmallRun run;
  run.items.clear();
  EXPECT_EQ(run.violation(), std::nullopt);
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
