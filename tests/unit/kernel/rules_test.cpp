// SPDX-License-Identifier: BSD-3-Clause
//
// A correct regrouping of three groups, and what the law says when one thing about it is wrong.
#include "kernel/rules.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace regroup {
namespace {

using testing::HasSubstr;
using testing::Optional;

/// Groups 4-5, 6 and 7-9 become 4-9, which goes on with the five items that 7-9 had left.
struct Regrouping {
  std::vector<GroupState> parts{{{4, 5}, 4, 0}, {{6, 6}, 6, 0}, {{7, 9}, 8, 5}};
  GroupState whole{{4, 9}, 8, 5};

  std::optional<std::string> violation() const { return regroup::violation(parts, whole); }
  std::optional<std::string> violation_of(std::size_t part) const {
    return regroup::violation(parts[part], whole);
  }
};

void expect_caught(const Regrouping& wrong, std::size_t part, const std::string& what) {
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr(what)));
  for (std::size_t i = 0; i < wrong.parts.size(); ++i) {
    if (i == part) {
      EXPECT_THAT(wrong.violation_of(i), Optional(HasSubstr(what)));
    } else {
      EXPECT_EQ(wrong.violation_of(i), std::nullopt) << i;
    }
  }
}

TEST(Rules, HaveNothingAgainstACorrectRegrouping) {
  const Regrouping correct;
  EXPECT_EQ(correct.violation(), std::nullopt);
  for (std::size_t part = 0; part < 3; ++part) {
    EXPECT_EQ(correct.violation_of(part), std::nullopt) << part;
  }
}

TEST(Rules, LetAGroupRegroupWithItself) {
  const std::vector<GroupState> parts{{{4, 7}, 4, 3, 2}};
  EXPECT_EQ(violation(parts, {{4, 7}, 4, 3}), std::nullopt);
  EXPECT_EQ(violation(parts.front(), {{4, 7}, 4, 3}), std::nullopt);
}

TEST(Rules, CatchAGroupThatIsCutAtTheRight) {
  Regrouping wrong;
  wrong.parts[2].ranks = {7, 10};
  expect_caught(wrong, 2, "group 4-9 forms and cuts group 7-10 in two");
}

TEST(Rules, CatchAGroupThatIsCutAtTheLeft) {
  const GroupState cut{{3, 5}, 3, 0};
  EXPECT_THAT(violation(cut, Regrouping().whole),
              Optional(HasSubstr("group 4-9 forms and cuts group 3-5 in two")));
}

TEST(Rules, CatchItemsOfAPartThatIsNotTheRightmost) {
  for (const std::size_t part : {0u, 1u}) {
    Regrouping wrong;
    wrong.parts[part].items_left = 2;
    expect_caught(wrong, part,
                  part == 0 ? "2 items of walker 4 are lost that group 4-5 had left"
                            : "2 items of walker 6 are lost that group 6 had left");
  }
}

TEST(Rules, CatchAnotherWalker) {
  Regrouping wrong;
  wrong.whole.walker = 6;
  expect_caught(wrong, 2,
                "group 4-9 takes over 5 items of walker 6, but group 7-9 left 5 of walker 8");
}

TEST(Rules, CatchItemsThatAreLostOrComeFromNowhere) {
  for (const std::int64_t items : {4, 6}) {
    Regrouping wrong;
    wrong.whole.items_left = items;
    expect_caught(wrong, 2, "but group 7-9 left 5 of walker 8");
  }
}

TEST(Rules, CatchAMessageThatWhoLeadsNoLongerHasNotRead) {
  for (const std::size_t part : {1u, 2u}) {
    Regrouping wrong;
    wrong.parts[part].unread = 1;
    expect_caught(wrong, part, "merges with a message unread");
  }
}

TEST(Rules, LetTheLeaderReadItsMessagesLater) {
  Regrouping correct;
  correct.parts[0].unread = 2;
  EXPECT_EQ(correct.violation(), std::nullopt);
  EXPECT_EQ(correct.violation_of(0), std::nullopt);
}

/// The parts are fine one by one: that some are missing is seen only where all are known.
void expect_gap(const Regrouping& wrong, const std::string& what) {
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr(what)));
  for (std::size_t part = 0; part < wrong.parts.size(); ++part) {
    EXPECT_EQ(wrong.violation_of(part), std::nullopt) << part;
  }
}

TEST(Rules, CatchAGapAtTheLeft) {
  Regrouping wrong;
  wrong.parts.erase(wrong.parts.begin());
  expect_gap(wrong, "group 4-9 forms, but no group begins at rank 4 then");
}

TEST(Rules, CatchAGapInTheMiddle) {
  Regrouping wrong;
  wrong.parts.erase(wrong.parts.begin() + 1);
  expect_gap(wrong, "no group begins at rank 6 then");
}

TEST(Rules, CatchAGapAtTheRight) {
  Regrouping wrong;
  wrong.parts.pop_back();
  expect_gap(wrong, "no group begins at rank 7 then");
}

TEST(Rules, CatchARegroupingOfNobody) {
  Regrouping wrong;
  wrong.parts.clear();
  expect_gap(wrong, "no group begins at rank 4 then");
}

TEST(Rules, CatchPartsThatOverlap) {
  Regrouping wrong;
  wrong.parts[1].ranks = {5, 6};
  expect_gap(wrong, "no group begins at rank 6 then");
}

TEST(Rules, NameAGroupByItsRanks) {
  EXPECT_EQ(name_of({4, 7}), "group 4-7");
  EXPECT_EQ(name_of({4, 4}), "group 4");
}

}  // namespace
}  // namespace regroup
