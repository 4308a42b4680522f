// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "regroup/numbers.hpp"

namespace regroup {
namespace {

// Philox4x32-10 of the all-zero counter and key starts with the words 6627e8d5 e169c58d:
// kat_vectors of Random123. `decision` is purpose 0.
TEST(RandomBits, AreThoseOfThePublishedGenerator) {
  EXPECT_EQ(random_bits(0, Purpose::decision, 0, 0), 0xe169c58d6627e8d5u);
}

TEST(RandomBits, AreTheSameOnEveryMachine) {
  EXPECT_EQ(random_bits(1, Purpose::workload, 4, 0), 0x8583f5615d695015u);
  EXPECT_EQ(random_bits(1'000'004, Purpose::jitter, 28, 280), 0xb4423e36d02a4a49u);
}

TEST(RandomBits, DifferInEveryArgument) {
  std::set<std::uint64_t> drawn;
  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32}) {
    for (const Purpose purpose : {Purpose::decision, Purpose::workload, Purpose::jitter}) {
      for (const std::uint64_t who : {0ull, 1ull, 1ull << 32}) {
        for (const std::uint64_t number : {0ull, 1ull, 1ull << 32}) {
          drawn.insert(random_bits(seed, purpose, who, number));
        }
      }
    }
  }
  EXPECT_EQ(drawn.size(), 81u);
}

TEST(UnitInterval, IncludesZeroAndExcludesOne) {
  EXPECT_EQ(unit_interval(0), 0.0);
  EXPECT_EQ(unit_interval(~0ull), 1 - 0x1p-53);
}

TEST(StandardNormal, IsFiniteAndSymmetricAtItsEnds) {
  EXPECT_TRUE(std::isfinite(standard_normal(0)));
  EXPECT_DOUBLE_EQ(standard_normal(0), -standard_normal(~0ull));
}

TEST(StandardNormal, HasMeanZeroAndDeviationOne) {
  constexpr int draws = 100'000;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const double z = standard_normal(random_bits(1, Purpose::jitter, 0, i));
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / draws, 0, 0.01);
  EXPECT_NEAR(std::sqrt(squares / draws), 1, 0.01);
}

}  // namespace
}  // namespace regroup
