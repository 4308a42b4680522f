// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/measurement/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace regroup {
namespace {

/// The samples 1, 2, … count, so that a sample is its own rank, in another order.
std::vector<double> ranks(int count) {
  std::vector<double> samples(static_cast<std::size_t>(count));
  std::iota(samples.begin(), samples.end(), 1);
  std::ranges::rotate(samples, samples.begin() + count / 3);
  return samples;
}

TEST(Spread, HasTheSmallestSampleAndTheMedian) {
  const Spread odd = spread_of({5, 1, 3});
  EXPECT_EQ(odd.min_s, 1);
  EXPECT_EQ(odd.median_s, 3);
  EXPECT_EQ(spread_of({4, 1, 3, 2}).median_s, 2.5);
}

// The ranks that tables of the sign test give for 95 %.
TEST(Spread, HasTheBinomialConfidenceIntervalOfTheMedian) {
  struct Case {
    int count, low, high;
  };
  for (const auto [count, low, high] : {Case{6, 1, 6},
                                        {8, 1, 8},
                                        {9, 2, 8},
                                        {10, 2, 9},
                                        {20, 6, 15},
                                        {30, 10, 21},
                                        {100, 40, 61}}) {
    const Spread spread = spread_of(ranks(count));
    EXPECT_EQ(spread.low_s, low) << count << " samples";
    EXPECT_EQ(spread.high_s, high) << count << " samples";
  }
}

TEST(Spread, OfTooFewSamplesReachesFromTheSmallestToTheLargest) {
  for (const int count : {1, 2, 5}) {
    const Spread spread = spread_of(ranks(count));
    EXPECT_EQ(spread.low_s, 1);
    EXPECT_EQ(spread.high_s, count);
  }
}

// 2^-100000 is no number; 1.96 standard deviations are 310 ranks.
TEST(Spread, TakesManySamples) {
  const Spread spread = spread_of(ranks(100'000));
  EXPECT_NEAR(spread.low_s, 50'000 - 310, 2);
  EXPECT_NEAR(spread.high_s, 50'000 + 311, 2);
}

}  // namespace
}  // namespace regroup
