// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "regroup/balancer.hpp"

namespace regroup {
namespace {

/// Behind two groups of 4: walkers 8, 12, … 24.
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

TEST(Queue, IsOfNobodyByItself) {
  EXPECT_TRUE(nobody_waits.empty());
  EXPECT_EQ(nobody_waits.after(0), nullptr);
  EXPECT_EQ(nobody_waits.items_after(0), 0);
}

TEST(StillWaiting, AreThoseWhomNobodyTook) {
  const Queue queue({{1, 5, 1}, {2, 0, 1}}, 1);
  StillWaiting waiting(queue);
  EXPECT_TRUE(waiting.has(1, 5));
  EXPECT_FALSE(waiting.has(1, 4));
  EXPECT_FALSE(waiting.has(3, 5));
  waiting.take(0);  // who never waited
  waiting.take(1);
  EXPECT_FALSE(waiting.has(1, 5));
  EXPECT_FALSE(waiting.nobody());
  waiting.take(2);
  EXPECT_TRUE(waiting.nobody());
  EXPECT_TRUE(StillWaiting(nobody_waits).nobody());
}

}  // namespace
}  // namespace regroup
