// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/outcome.hpp"

#include <gtest/gtest.h>

namespace regroup {
namespace {

GroupLife busy_until(double busy_s, std::int64_t items) {
  GroupLife life;
  life.items_before = items;
  life.busy_until_s = busy_s;
  return life;
}

TEST(Outcome, EndsWithTheLastItemOfAnyGroup) {
  Outcome outcome;
  outcome.lives = {busy_until(2, 1), busy_until(3, 5), busy_until(1, 1)};
  EXPECT_EQ(outcome.makespan_s(), 3);
}

TEST(Outcome, EndsBeforeGroupsThatFormWithoutWork) {
  Outcome outcome;
  outcome.lives = {busy_until(2, 1), busy_until(4, 0)};
  EXPECT_EQ(outcome.makespan_s(), 2);
}

TEST(Outcome, EndsAtOnceWhereThereIsNoWork) {
  Outcome outcome;
  EXPECT_EQ(outcome.makespan_s(), 0);
  outcome.lives = {busy_until(4, 0)};
  EXPECT_EQ(outcome.makespan_s(), 0);
}

}  // namespace
}  // namespace regroup
