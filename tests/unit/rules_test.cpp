// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rules.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "regroup/balancer.hpp"

namespace regroup::rules_test {
namespace {

using testing::HasSubstr;
using testing::Optional;

// Correct regroupings, and the report of a single mistake.

Group group(RankSet ranks, int walker, std::int64_t items) {
  return {std::move(ranks), {walker, items}, {}};
}
Group idle(RankSet ranks) { return {std::move(ranks), {}, {}}; }

RankSet ranks(std::vector<RankRange> ranges) { return RankSet::of(std::move(ranges)); }

struct Regrouping {
  std::vector<Group> before, after;

  std::optional<std::string> violation() const { return regroup::violation(before, after); }
  std::optional<std::string> violation_of(std::size_t part) const {
    return regroup::violation(before[part], after);
  }
};

void expect_lawful(const Regrouping& correct) {
  EXPECT_EQ(correct.violation(), std::nullopt);
  for (std::size_t part = 0; part < correct.before.size(); ++part) {
    EXPECT_EQ(correct.violation_of(part), std::nullopt) << part;
  }
}

/// Expects that `part` detects the violation on its own, and that no other part does.
void expect_caught_by(std::size_t part, const Regrouping& wrong, const std::string& what,
                      const std::string& what_it_says) {
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr(what)));
  for (std::size_t i = 0; i < wrong.before.size(); ++i) {
    if (i == part) {
      EXPECT_THAT(wrong.violation_of(i), Optional(HasSubstr(what_it_says)));
    } else {
      EXPECT_EQ(wrong.violation_of(i), std::nullopt) << i;
    }
  }
}

/// Expects a violation that no part detects on its own: all groups must be known.
void expect_caught_by_nobody_alone(const Regrouping& wrong, const std::string& what) {
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr(what)));
  for (std::size_t part = 0; part < wrong.before.size(); ++part) {
    EXPECT_EQ(wrong.violation_of(part), std::nullopt) << part;
  }
}

/// Groups 4-5, 6 and 7-9 merge into 4-9, which continues with the five items left of 7-9.
Regrouping merge() {
  return {{group({4, 5}, 4, 0), group({6, 6}, 6, 0), group({7, 9}, 8, 5)}, {group({4, 9}, 8, 5)}};
}

/// Group 4-9 divides into three groups; the middle one continues its chain.
Regrouping division() {
  return {{group({4, 9}, 8, 5)},
          {idle(ranks({{4, 4}, {9, 9}})), group({5, 7}, 8, 5), idle({8, 8})}};
}

/// Group 0-3 gives ranks 1 and 3 to group 4-5. Both continue their chains.
Regrouping gift() {
  return {{group({0, 3}, 0, 7), group({4, 5}, 4, 9)},
          {group(ranks({{0, 0}, {2, 2}}), 0, 7), group(ranks({{1, 1}, {3, 5}}), 4, 9)}};
}

/// Groups 0-3 and 4-5 exchange their chains and keep their ranks.
Regrouping exchange() {
  return {{group({0, 3}, 0, 7), group({4, 5}, 4, 9)}, {group({0, 3}, 4, 9), group({4, 5}, 0, 7)}};
}

// ---- lawful regroupings

TEST(Rules, HaveNothingAgainstLawfulRegroupings) {
  expect_lawful(merge());
  expect_lawful(division());
  expect_lawful(gift());
  expect_lawful(exchange());
  expect_lawful({{group({0, 3}, 0, 7), idle({4, 5})}, {idle({0, 3}), group({4, 5}, 0, 7)}});
  const std::vector<Group> same{group({0, 3}, 0, 7), idle({4, 4})};
  expect_lawful({same, same});
  expect_lawful({{}, {}});
}

TEST(Rules, DoNotMindAChainThatIsDone) {
  Regrouping done = division();
  done.before[0].chain.items_left = 0;
  done.after[1].chain.items_left = 0;
  expect_lawful(done);
  done.after[1].chain = {};
  expect_lawful(done);
}

TEST(Rules, DoNotMindTheOrderOfTheGroupsNorNotes) {
  Regrouping turned = gift();
  std::swap(turned.before[0], turned.before[1]);
  expect_lawful(turned);
  std::swap(turned.after[0], turned.after[1]);
  expect_lawful(turned);
  Regrouping noted = gift();
  noted.before[0].note = {1, 2};
  noted.after[1].note = {3};
  expect_lawful(noted);
}

// ---- ranks

TEST(Rules, CatchRanksThatAreLost) {
  Regrouping wrong = division();
  wrong.after[2] = idle({8, 8});
  wrong.after[0] = idle({4, 4});
  expect_caught_by(0, wrong, "group 4-9 become group 4, group 5-7, group 8, which are other ranks",
                   "group 4-9 becomes group 4, group 5-7, group 8, and some of its ranks are lost");
  for (const RankRange longer : {RankRange{7, 10}, {7, 11}}) {
    wrong = merge();
    wrong.before[2].ranks = longer;
    expect_caught_by(2, wrong, "become group 4-9, which are other ranks",
                     "becomes group 4-9, and some of its ranks are lost");
  }
  wrong = merge();
  wrong.before[0].ranks = {3, 5};
  expect_caught_by(0, wrong, "other ranks",
                   "group 3-5 becomes group 4-9, and some of its ranks are lost");
  wrong = merge();
  wrong.after.clear();
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr("which are other ranks")));
  EXPECT_THAT(wrong.violation_of(0), Optional(HasSubstr("some of its ranks are lost")));
}

TEST(Rules, CatchRanksThatAreHeldTwice) {
  Regrouping wrong = division();
  wrong.after.push_back(idle({8, 8}));
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr("group 4 9, group 5-7, group 8, group 8 form, "
                                                    "and have a rank in common")));
  wrong = merge();
  wrong.before[1].ranks = {5, 6};
  expect_caught_by_nobody_alone(wrong, "which are other ranks");
  for (const RankSet& more : {RankSet(0, 3), ranks({{0, 0}, {2, 2}, {5, 5}})}) {
    wrong = gift();
    wrong.after[0].ranks = more;
    EXPECT_THAT(wrong.violation(), Optional(HasSubstr("form, and have a rank in common")));
    for (const std::size_t part : {0u, 1u}) {
      EXPECT_THAT(wrong.violation_of(part), Optional(HasSubstr("have a rank in common")));
    }
  }
}

TEST(Rules, CatchRanksAndGroupsOfNobody) {
  Regrouping wrong = division();
  wrong.after.push_back(idle({10, 10}));
  expect_caught_by_nobody_alone(
      wrong, "group 4-9 become group 4 9, group 5-7, group 8, group 10, which are other ranks");
  wrong = division();
  wrong.after.push_back(idle({}));
  EXPECT_THAT(wrong.violation(), Optional(HasSubstr("a group of nobody forms")));
  for (std::size_t part = 0; part < 3; ++part) {
    wrong = merge();
    wrong.before.erase(wrong.before.begin() + static_cast<std::ptrdiff_t>(part));
    expect_caught_by_nobody_alone(wrong, "become group 4-9, which are other ranks");
  }
  wrong = merge();
  wrong.before.clear();
  expect_caught_by_nobody_alone(wrong, "nobody become group 4-9, which are other ranks");
}

// ---- chains

TEST(Rules, CatchChainsThatAreLost) {
  Regrouping wrong = division();
  wrong.after[1].chain = {};
  const std::string lost = "forms, and 5 items of walker 8 are lost that group 4-9 had left";
  expect_caught_by(0, wrong, lost, lost);
  for (const std::size_t part : {0u, 1u}) {
    wrong = merge();
    wrong.before[part].chain.items_left = 2;
    const std::string behind = part == 0 ? "2 items of walker 4 are lost that group 4-5 had left"
                                         : "2 items of walker 6 are lost that group 6 had left";
    expect_caught_by(part, wrong, behind, behind);
  }
}

TEST(Rules, CatchAChainThatIsDoubled) {
  Regrouping wrong = division();
  wrong.after[2].chain = {8, 5};
  expect_caught_by(0, wrong, "form, and walker 8 is in two of them",
                   "form, and walker 8 is in two of them");
  wrong.after[2].chain = {8, 2};
  expect_caught_by_nobody_alone(wrong, "walker 8 is in two of them");
  wrong.before[0].chain = {8, 0};
  wrong.after[1].chain = wrong.after[2].chain = {8, 0};
  expect_caught_by_nobody_alone(wrong, "walker 8 is in two of them");
}

TEST(Rules, CatchAChainThatIsMadeUp) {
  Regrouping wrong = division();
  wrong.after[2].chain = {3, 1};
  expect_caught_by_nobody_alone(
      wrong, "group 8 takes over 1 items of walker 3, which none of group 4-9 has");
  wrong.after[2].chain = {9, 1};
  expect_caught_by_nobody_alone(wrong, "takes over 1 items of walker 9, which none of group 4-9");
  wrong.after[2].chain = {Chain::none, 1};
  expect_caught_by_nobody_alone(wrong, "takes over 1 items of walker -1");
  wrong.after[2].chain = {3, 0};
  expect_caught_by_nobody_alone(wrong, "group 8 takes over 0 items of walker 3");
}

TEST(Rules, CatchWalkersAndItemsThatChange) {
  Regrouping wrong = merge();
  wrong.after[0].chain.walker = 6;
  expect_caught_by(2, wrong, "group 4-9 takes over 5 items of walker 6, but there are 0",
                   "5 items of walker 8 are lost that group 7-9 had left");
  for (const std::int64_t items : {0, 4, 6}) {
    wrong = merge();
    wrong.after[0].chain.items_left = items;
    expect_caught_by(2, wrong, "of walker 8, but there are 5 items of walker 8",
                     "5 items of walker 8 are lost that group 7-9 had left");
  }
  wrong = exchange();
  wrong.after[0].chain.items_left = 8;
  expect_caught_by(1, wrong,
                   "group 0-3 takes over 8 items of walker 4, but there are 9 items of walker 4",
                   "9 items of walker 4 are lost that group 4-5 had left");
  wrong = exchange();
  ++wrong.after[0].chain.items_left;
  --wrong.after[1].chain.items_left;
  EXPECT_TRUE(wrong.violation().has_value());
  EXPECT_TRUE(wrong.violation_of(0).has_value());
  EXPECT_TRUE(wrong.violation_of(1).has_value());
}

// ---- plans

TEST(Change, LeavesGroupsOutWhoseRanksAndChainStay) {
  const std::vector<Group> present{group({0, 3}, 0, 0), group({4, 7}, 4, 3), group({8, 9}, 8, 1)};
  const std::vector<Group> planned{{{8, 9}, {8, 1}, {7}}, group({0, 7}, 4, 3)};
  const Change change = change_of(present, planned);
  EXPECT_EQ(change.staying, std::vector{planned[0]});
  EXPECT_EQ(change.before, (std::vector{present[0], present[1]}));
  EXPECT_EQ(change.after, std::vector{planned[1]});
}

TEST(Change, IsAlsoAChainThatMoves) {
  const std::vector<Group> present{group({0, 3}, 0, 2), group({4, 7}, 4, 3)};
  const std::vector<Group> planned{group({0, 3}, 4, 3), group({4, 7}, 0, 2)};
  const Change change = change_of(present, planned);
  EXPECT_TRUE(change.staying.empty());
  EXPECT_EQ(change.before, present);
  EXPECT_EQ(change.after, planned);
}

TEST(Rules, NameFourGroupsAtMost) {
  Regrouping wrong;
  for (int rank = 0; rank < 6; ++rank) wrong.before.push_back(idle({rank, rank}));
  wrong.after = {idle({0, 6})};
  EXPECT_THAT(wrong.violation(),
              Optional(HasSubstr("group 0, group 1, group 2, group 3, … become group 0-6")));
}

/// Returns a queue of walkers 8, 12, …, 24 behind two groups of four ranks.
Queue five() { return {{{8, 1, 1}, {12, 2, 1}, {16, 3, 1}, {20, 4, 1}, {24, 5, 1}}, 8}; }

TEST(Queue, HasEveryWalkerThatWaits) {
  EXPECT_EQ(*five().find(16), (WaitingWalker{16, 3, 1}));
  for (const int walker : {-1, 0, 4, 10, 28}) EXPECT_EQ(five().find(walker), nullptr) << walker;
}

TEST(Queue, IsDealtToTheGroupsInTurn) {
  const Queue queue = five();
  EXPECT_EQ(queue.after(0)->walker, 8);
  EXPECT_EQ(queue.after(8)->walker, 16);
  EXPECT_EQ(queue.after(16)->walker, 24);
  EXPECT_EQ(queue.after(24), nullptr);
  EXPECT_EQ(queue.after(4)->walker, 12);
  EXPECT_EQ(queue.after(12)->walker, 20);
  EXPECT_EQ(queue.after(20), nullptr);
  EXPECT_EQ(queue.after(-1), nullptr);
  EXPECT_EQ(queue.items_after(0), 1 + 3 + 5);
  EXPECT_EQ(queue.items_after(12), 4);
  EXPECT_EQ(queue.items_after(24), 0);
}

TEST(StillWaiting, AreThoseWhomNobodyTook) {
  const Queue queue({{1, 5, 1}, {2, 0, 1}}, 1);
  StillWaiting waiting(queue);
  EXPECT_TRUE(waiting.has(1, 5));
  EXPECT_FALSE(waiting.has(1, 4));
  EXPECT_FALSE(waiting.has(3, 5));
  waiting.take(0);  // it never waited
  waiting.take(1);
  EXPECT_FALSE(waiting.has(1, 5));
  EXPECT_FALSE(waiting.nobody());
  waiting.take(2);
  EXPECT_TRUE(waiting.nobody());
  EXPECT_TRUE(StillWaiting(nobody_waits).nobody());
}

}  // namespace
}  // namespace regroup::rules_test
