// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <limits>

#include "regroup/walker.hpp"

namespace regroup {
namespace {

TEST(FixedPoint, IsTheNearestMultiple) {
  EXPECT_EQ(FixedPoint::of(1).bits(), std::int64_t{1} << 32);
  EXPECT_EQ(FixedPoint::of(-2.5).value(), -2.5);
  EXPECT_EQ(FixedPoint::of(0x1p-33).bits(), 0);  // between two, to the even one
  EXPECT_EQ(FixedPoint::of(0x1.8p-32).bits(), 2);
  EXPECT_NEAR(FixedPoint::of(1.0 / 3).value(), 1.0 / 3, 0x1p-33);
}

TEST(FixedPoint, StopsAtTheLargestTerm) {
  EXPECT_EQ(FixedPoint::of(1e300).value(), FixedPoint::most);
  EXPECT_EQ(FixedPoint::of(-std::numeric_limits<double>::infinity()).value(), -FixedPoint::most);
}

TEST(FixedPoint, SumsInAnyOrderToTheSame) {
  const FixedPoint large = FixedPoint::of(1e6);
  const FixedPoint small = FixedPoint::of(1e-9);
  FixedPoint sum = large;
  for (int i = 0; i < 1000; ++i) sum += small;
  sum -= large;
  for (int i = 0; i < 1000; ++i) sum -= small;
  EXPECT_EQ(sum, FixedPoint());
}

}  // namespace
}  // namespace regroup
