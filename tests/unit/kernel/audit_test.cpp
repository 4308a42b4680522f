// SPDX-License-Identifier: BSD-3-Clause
//
// A correct run of three groups, and what the audit says when one thing about it is wrong.
#include "kernel/audit.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::Optional;

GroupLife life(RankRange ranks, int walker, std::int64_t before, std::int64_t after) {
  GroupLife l;
  l.ranks = ranks;
  l.walker = walker;
  l.items_before = before;
  l.items_after = after;
  l.executed_min = l.executed_max = before - after;
  l.formed_s = 1;
  l.ended_s = 2;
  return l;
}

GroupLife regrouped(GroupLife l) {
  l.regrouped = true;
  return l;
}

GroupLife stopped(GroupLife l) {
  l.stopped = true;
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

TEST(Audit, FindsNothingWrongWithACorrectRun) { EXPECT_EQ(SmallRun().violation(), std::nullopt); }

TEST(Audit, MindsNoOrderOfTheRows) {
  SmallRun run;
  std::ranges::reverse(run.lives);
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(Audit, FindsNothingWrongWithARegroupingOfOneGroupAlone) {
  SmallRun run;
  run.lives[4].stopped = false;
  run.lives.push_back(stopped(regrouped(life({0, 5}, 4, 0, 0))));
  EXPECT_EQ(run.violation(), std::nullopt);
}

TEST(Audit, CatchesAGroupWithoutRanks) {
  for (const int last : {0, std::numeric_limits<int>::min()}) {
    SmallRun run;
    run.lives[0].ranks = {1, last};
    EXPECT_THAT(run.violation(), Optional(HasSubstr("has no ranks")));
  }
}

TEST(Audit, CatchesAGroupBeyondTheRun) {
  SmallRun run;
  run.lives[4].ranks = {0, 6};
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
  run.lives[4].stopped = false;
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
  EXPECT_THAT(run.violation(), Optional(HasSubstr("instead of 6 of walker 4")));
}

TEST(Audit, CatchesAMergeThatCutsAGroup) {
  SmallRun run;
  run.lives[3].ranks = {0, 2};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("cuts group 2-3 in two")));
}

TEST(Audit, CatchesAMergeThatBeginsWithinAGroup) {
  SmallRun run;
  run.lives[3].ranks = {1, 3};
  EXPECT_THAT(run.violation(), Optional(HasSubstr("no group began at rank 1")));
}

TEST(Audit, CatchesAMergeWithAGroupThatHadStopped) {
  SmallRun run;
  run.lives[0].stopped = true;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("which had stopped")));
}

TEST(Audit, CatchesItemsThatAMergeLeftBehind) {
  SmallRun run;
  run.lives[0] = life({0, 1}, 0, 1, 1);
  EXPECT_THAT(run.violation(),
              Optional(HasSubstr("1 items of walker 0 are lost that group 0-1 had left")));
}

TEST(Audit, CatchesItemsThatWereLostInAMerge) {
  SmallRun run;
  run.lives[4] = stopped(regrouped(life({0, 5}, 4, 3, 0)));
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes over 3 items of walker 4")));
}

TEST(Audit, CatchesAMergeThatWentOnWithAnotherWalker) {
  SmallRun run;
  run.lives[4].walker = 2;
  EXPECT_THAT(run.violation(), Optional(HasSubstr("takes over 4 items of walker 2")));
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

/// One group that regroups with itself twice. Rows of files may be in any order.
TEST(Audit, PutsRegroupingsOfTheSameRanksInTheOrderOfTheirTimes) {
  const std::vector<RankRange> groups{{0, 1}};
  const std::vector<std::int64_t> items{6};
  std::vector<GroupLife> lives{stopped(regrouped(life({0, 1}, 0, 2, 0))),
                               regrouped(life({0, 1}, 0, 5, 2)), life({0, 1}, 0, 6, 5)};
  lives[0].formed_s = 1.5;
  EXPECT_EQ(first_violation(lives, groups, items), std::nullopt);
  lives[0].formed_s = 0.5;
  EXPECT_TRUE(first_violation(lives, groups, items).has_value());
}

TEST(Audit, NamesTheLifeThatIsWrong) {
  SmallRun run;
  run.lives[3].ranks = {0, 2};
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
  run = {};
  run.lives[0].ranks = {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};
  EXPECT_TRUE(run.violation().has_value());
}

}  // namespace
}  // namespace regroup
