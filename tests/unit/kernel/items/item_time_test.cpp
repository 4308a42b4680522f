// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "regroup/workload.hpp"

namespace regroup {
namespace {

ItemTime with(const Choice& speedup, double jitter = 0, std::uint64_t stream = 1'000'004) {
  const auto* entry = find_entry(speedups(), speedup.name);
  return {entry->make(speedup.options, 0.1), jitter, stream};
}

TEST(ItemTime, IsDividedByTheRanksWithPerfectSpeedUp) {
  const ItemTime time(with({"perfect", {}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.1);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.025);
  EXPECT_DOUBLE_EQ(time.seconds(3), 0.1 / 3);
}

TEST(ItemTime, KeepsItsSerialFractionWithAmdahl) {
  const ItemTime time(with({"amdahl", {{"serial_fraction", "0.2"}}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.1);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.04);
  EXPECT_NEAR(time.seconds(1'000'000), 0.02, 1e-6);
}

TEST(ItemTime, GrowsWithTheLevelsOfATreeWithOverhead) {
  const ItemTime time(with({"overhead", {{"overhead_ms", "2"}, {"overhead_per_log2_ms", "3"}}}));
  EXPECT_DOUBLE_EQ(time.seconds(1), 0.102);
  EXPECT_DOUBLE_EQ(time.seconds(4), 0.002 + 0.025 + 0.006);
  EXPECT_DOUBLE_EQ(time.seconds(64), 0.002 + 0.1 / 64 + 0.018);
}

TEST(ItemTime, IsTheSameForEveryItemWithoutJitter) {
  const ItemTime time(with({"perfect", {}}));
  EXPECT_FALSE(time.varies());
  EXPECT_EQ(time.seconds(4, 12, 1), time.seconds(4));
  EXPECT_EQ(time.seconds(4, 16, 280), time.seconds(4));
}

TEST(EverySpeedUp, GivesOneRankAtLeastTheItemsOwnTime) {
  for (const SpeedupEntry& entry : speedups()) {
    if (entry.name == "measured") continue;  // which takes a file
    const ItemTime time(with(with_fallbacks(entry)));
    EXPECT_GE(time.seconds(1), 0.1) << entry.name;
    for (int ranks = 1; ranks <= 4096; ranks *= 2) {
      EXPECT_GE(time.seconds(ranks), 0.1 / ranks) << entry.name << ' ' << ranks;
    }
  }
}

class Jitter : public testing::TestWithParam<double> {};

TEST_P(Jitter, IsPositiveAndKeepsTheMeanWithTheDeviationAskedFor) {
  constexpr int items = 200'000;
  const ItemTime time(with({"perfect", {}}, GetParam()));
  double sum = 0;
  double squares = 0;
  for (int item = 1; item <= items; ++item) {
    const double factor = time.seconds(4, 8, item) / time.seconds(4);
    ASSERT_GT(factor, 0);
    sum += factor;
    squares += factor * factor;
  }
  const double mean = sum / items;
  EXPECT_TRUE(time.varies());
  EXPECT_NEAR(mean, 1, 0.01 * GetParam());
  EXPECT_NEAR(std::sqrt(squares / items - mean * mean), GetParam(), 0.02 * GetParam());
}

INSTANTIATE_TEST_SUITE_P(ItemTime, Jitter, testing::Values(0.01, 0.1, 0.5));

TEST(ItemTimeJitter, BelongsToTheItemAndNotToTheGroup) {
  const ItemTime time(with({"perfect", {}}, 0.2));
  EXPECT_DOUBLE_EQ(time.seconds(4, 8, 17), 2 * time.seconds(8, 8, 17));
  EXPECT_NE(time.seconds(4, 8, 17), time.seconds(4, 8, 16));
  EXPECT_NE(time.seconds(4, 8, 17), time.seconds(4, 4, 17));
}

TEST(ItemTimeJitter, ChangesWithTheStream) {
  EXPECT_NE(with({"perfect", {}}, 0.2, 1).seconds(4, 8, 17),
            with({"perfect", {}}, 0.2, 2).seconds(4, 8, 17));
}

TEST(ItemTimeJitter, IsTheSameOnEveryMachine) {
  EXPECT_EQ(with({"perfect", {}}, 0.2).seconds(1, 8, 17), 0x1.41d7c0318057ep-4);
}

}  // namespace
}  // namespace regroup
