// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "balancers/balancers.hpp"
#include "tests/known.hpp"

namespace regroup {
namespace {

Known with(std::int64_t items_left) { return {{{4, 7}, {4, items_left}, {}}, {}}; }

TEST(None, ExecutesAllItemsInOneGoAndLooksForNoMessage) {
  EXPECT_EQ(make_none({})->decide(with(280)), (Decision{Work{280, false}, {}}));
  EXPECT_EQ(make_none({})->decide(with(1)), (Decision{Work{1, false}, {}}));
}

TEST(None, StopsWithoutWork) { EXPECT_EQ(make_none({})->decide(with(0)), (Decision{Stop{}, {}})); }

}  // namespace
}  // namespace regroup
