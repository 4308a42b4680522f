// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "kernel/clocks/offset_in_time.hpp"

namespace regroup {
namespace {

using testing::AllOf;
using testing::DoubleNear;
using testing::Field;

constexpr double rounding = 1e-9;

TEST(Exchanges, PutTheOtherClockInTheMiddle) {
  Exchanges exchanges;
  exchanges.add(10, 1000.5, 12);
  EXPECT_THAT(exchanges.best(), AllOf(Field(&ClockReading::at, DoubleNear(11, rounding)),
                                      Field(&ClockReading::offset, DoubleNear(989.5, rounding)),
                                      Field(&ClockReading::error, DoubleNear(1, rounding))));
}

TEST(Exchanges, CountTheShortestRoundTrip) {
  Exchanges exchanges;
  exchanges.add(0, 100, 0.5);
  exchanges.add(1, 101.1, 1.2);
  exchanges.add(2, 102, 2.4);
  EXPECT_NEAR(exchanges.best().at, 1.1, rounding);
  EXPECT_NEAR(exchanges.best().offset, 100, rounding);
  EXPECT_NEAR(exchanges.best().error, 0.1, rounding);
}

/// However the way is divided, the true offset lies within the bound.
TEST(Exchanges, BoundTheErrorWhicheverWayIsLonger) {
  for (const double there : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    Exchanges exchanges;
    exchanges.add(5, 5 + there + 70, 6);
    EXPECT_LE(std::abs(exchanges.best().offset - 70), exchanges.best().error + rounding) << there;
  }
}

/// Exchanges with these round trips, in µs, one after the other.
int exchanges_until_enough(double first_us, double later_us, int shorter_at) {
  Exchanges exchanges;
  double now = 0;
  int number = 0;
  do {
    ++number;
    const double took = (number == 1 ? first_us : number == shorter_at ? 1 : later_us) * 1e-6;
    exchanges.add(now, now, now + took);
    now += took;
  } while (!exchanges.enough());
  return number;
}

TEST(Exchanges, AreEnoughWhenTwentyInARowBringNothing) {
  EXPECT_EQ(exchanges_until_enough(5, 6, 0), 21);
  EXPECT_EQ(exchanges_until_enough(5, 5, 0), 21);  // no shorter one
}

TEST(Exchanges, CountAnewAfterAShorterOne) {
  EXPECT_EQ(exchanges_until_enough(5, 6, 21), 41);
  EXPECT_EQ(exchanges_until_enough(5, 6, 22), 21);  // which is too late
}

TEST(Exchanges, EndThoughEachIsShorter) {
  Exchanges exchanges;
  double took = 1e-4;
  for (int number = 1; number <= Exchanges::most; ++number) {
    EXPECT_FALSE(exchanges.enough()) << number;
    exchanges.add(0, 0, took -= 1e-8);
  }
  EXPECT_TRUE(exchanges.enough());
}

TEST(Exchanges, EndAfterASecond) {
  Exchanges exchanges;
  exchanges.add(7, 0, 7.6);
  EXPECT_FALSE(exchanges.enough());
  exchanges.add(7.6, 0, 8);
  EXPECT_TRUE(exchanges.enough());
}

}  // namespace
}  // namespace regroup
