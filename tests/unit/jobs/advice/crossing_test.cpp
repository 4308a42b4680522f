// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "driver/advise/advice.hpp"

namespace regroup {
namespace {

/// Somebody wins from `where` on, upwards or downwards.
auto wins_above(double where) {
  return [=](double value) { return value > where ? std::optional<std::size_t>(3) : std::nullopt; };
}
auto wins_below(double where) {
  return [=](double value) { return value < where ? std::optional<std::size_t>(5) : std::nullopt; };
}

TEST(Crossing, IsFoundToTwoPercentAndNeverBeyond) {
  for (const double where : {1.01, 2.0, 340.0, 9.9e5}) {
    const Crossing found = crossing(1, 1e6, wins_above(where));
    EXPECT_LE(found.holds, where * (1 + 1e-9));
    EXPECT_GE(found.holds, where / 1.021);
    EXPECT_EQ(found.winner, 3);
  }
}

TEST(Crossing, IsFoundDownwards) {
  const Crossing found = crossing(100, 1e-3, wins_below(0.2));
  EXPECT_GE(found.holds, 0.2 * (1 - 1e-9));
  EXPECT_LE(found.holds, 0.2 * 1.021);
  EXPECT_EQ(found.winner, 5);
}

TEST(Crossing, IsTheEndWhereNobodyWins) {
  const Crossing found = crossing(3, 1e6, wins_above(1e7));
  EXPECT_EQ(found.holds, 1e6);
  EXPECT_FALSE(found.winner);
}

TEST(Crossing, TriesTheEndItself) {
  EXPECT_TRUE(crossing(3, 20, wins_above(19.999)).winner);
  EXPECT_EQ(crossing(3, 20, wins_above(20)).holds, 20);
}

TEST(Crossing, NamesWhoWinsJustBeyond) {
  const Crossing found = crossing(1, 1e6, [](double value) -> std::optional<std::size_t> {
    if (value > 500) return 2;
    if (value > 50) return 1;
    return {};
  });
  EXPECT_EQ(found.winner, 1);
}

}  // namespace
}  // namespace regroup
