// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>

#include "kernel/clocks/offset_in_time.hpp"

namespace regroup::clocks_test {
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

/// The true offset lies within the bound however the round trip is divided between the two ways.
TEST(Exchanges, BoundTheErrorWhicheverWayIsLonger) {
  for (const double there : {0.0, 0.1, 0.5, 0.9, 1.0}) {
    Exchanges exchanges;
    exchanges.add(5, 5 + there + 70, 6);
    EXPECT_LE(std::abs(exchanges.best().offset - 70), exchanges.best().error + rounding) << there;
  }
}

/// Returns the number of consecutive exchanges needed with these round trips, in µs.
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
  EXPECT_EQ(exchanges_until_enough(5, 5, 0), 21);  // none is shorter
  EXPECT_EQ(exchanges_until_enough(5, 6, 21), 41);
  EXPECT_EQ(exchanges_until_enough(5, 6, 22), 21);  // the shorter one comes too late
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

OffsetInTime of(std::initializer_list<ClockReading> readings) {
  OffsetInTime offset;
  for (const ClockReading& reading : readings) offset.add(reading);
  return offset;
}

TEST(OffsetInTime, IsLinearBetweenReadingsAndThatOfTheNearestBeyondThem) {
  EXPECT_EQ(OffsetInTime().between(3), 0);
  EXPECT_EQ(OffsetInTime().predicted(3), 0);
  EXPECT_EQ(OffsetInTime().error(), 0);
  const OffsetInTime offset = of({{10, 5, 2e-6}, {20, 5.1, 7e-6}, {40, 5, 1e-6}});
  for (const auto& [at, expected] :
       {std::pair(0.0, 5.0), {10, 5}, {12.5, 5.025}, {20, 5.1}, {30, 5.05}, {50, 5}}) {
    EXPECT_NEAR(offset.between(at), expected, rounding) << at;
  }
  EXPECT_EQ(offset.error(), 7e-6);
}

/// The bound holds for an evenly drifting clock even with the largest allowed reading errors.
TEST(OffsetInTime, HoldsItsBoundWhereClocksDriftEvenly) {
  const auto truth = [](double at) { return 3 + 2e-5 * at; };
  for (const double sign : {-1.0, 1.0}) {
    const OffsetInTime offset =
        of({{0, truth(0) + 3e-6, 3e-6}, {60, truth(60) + sign * 5e-6, 5e-6}});
    for (double at = 0; at <= 60; at += 0.5) {
      EXPECT_LE(std::abs(offset.between(at) - truth(at)), offset.error() + rounding) << at;
    }
  }
}

TEST(OffsetInTime, PredictsTheDriftSinceTheFirstReading) {
  EXPECT_EQ(of({{10, 5, 1e-6}}).predicted(60), 5);
  const OffsetInTime offset = of({{0, 5, 0}, {5, 5.0003, 0}, {10, 5.0001, 0}});
  EXPECT_NEAR(offset.predicted(10), 5.0001, rounding);
  EXPECT_NEAR(offset.predicted(20), 5.0002, rounding);
  EXPECT_NEAR(of({{0, 5, 0.1}, {1, 5.1, 0.1}}).predicted(2), 5.101, rounding);
  EXPECT_NEAR(of({{0, 5, 0.1}, {1, 4.9, 0.1}}).predicted(2), 4.899, rounding);
}

TEST(OffsetInTime, FindsHowWrongItsPredictionsWere) {
  OffsetInTime offset = of({{0, 5, 1e-6}});
  EXPECT_NEAR(offset.predicted_error(), 1e-6, rounding);
  offset.add({1, 5 + 30e-6, 2e-6});  // the drift was unknown
  EXPECT_NEAR(offset.predicted_error(), 32e-6, rounding);
  offset.add({2, 5 + 60e-6, 2e-6});  // as predicted
  EXPECT_NEAR(offset.predicted_error(), 32e-6, rounding);
  offset.add({3, 5 + 40e-6, 2e-6});  // predicted: 90 µs
  EXPECT_NEAR(offset.predicted_error(), 52e-6, rounding);
}

}  // namespace
}  // namespace regroup::clocks_test
