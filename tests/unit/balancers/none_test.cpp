// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/none.hpp"

#include <gtest/gtest.h>

namespace regroup {
namespace {

Knowledge with(std::int64_t items_left) {
  Knowledge known;
  known.group = {4, 7};
  known.ranks = 16;
  known.walker = 4;
  known.items_left = items_left;
  return known;
}

TEST(None, ExecutesAllItemsInOneGoAndLooksForNoMessage) {
  EXPECT_EQ(make_none({})->decide(with(280)), (Decision{Work{280, false}, {}}));
  EXPECT_EQ(make_none({})->decide(with(1)), (Decision{Work{1, false}, {}}));
}

TEST(None, StopsWithoutWork) { EXPECT_EQ(make_none({})->decide(with(0)), (Decision{Stop{}, {}})); }

}  // namespace
}  // namespace regroup
