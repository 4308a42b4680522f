// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "kernel/numbers/statistics.hpp"

namespace regroup {
namespace {

/// The samples 1, 2, … count, so that a sample is its own rank, in another order.
std::vector<double> ranks(int count) {
  std::vector<double> samples(static_cast<std::size_t>(count));
  std::iota(samples.begin(), samples.end(), 1);
  std::ranges::rotate(samples, samples.begin() + count / 3);
  return samples;
}

TEST(Dispersion, HasTheSmallestSampleAndTheMedian) {
  const Dispersion odd = dispersion_of({5, 1, 3});
  EXPECT_EQ(odd.min_s, 1);
  EXPECT_EQ(odd.median_s, 3);
  EXPECT_EQ(dispersion_of({4, 1, 3, 2}).median_s, 2.5);
}

// The ranks that tables of the sign test give for 95 %.
TEST(Dispersion, HasTheBinomialConfidenceIntervalOfTheMedian) {
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
    const auto interval = dispersion_of(ranks(count)).interval;
    ASSERT_TRUE(interval) << count << " samples";
    EXPECT_EQ(interval->low_s, low) << count << " samples";
    EXPECT_EQ(interval->high_s, high) << count << " samples";
  }
}

// The extremes of five samples hold the true median with 93.75 % only.
TEST(Dispersion, OfTooFewSamplesHasNoInterval) {
  for (int count = 1; count < fewest_samples; ++count) {
    EXPECT_FALSE(dispersion_of(ranks(count)).interval) << count << " samples";
  }
}

TEST(Dispersion, AddsTheColumnsThatItHas) {
  std::map<std::string, double> few;
  add(few, "time", dispersion_of(ranks(5)));
  EXPECT_EQ(few, (std::map<std::string, double>{{"time_min_s", 1}, {"time_median_s", 3}}));
  std::map<std::string, double> six;
  add(six, "time", dispersion_of(ranks(6)));
  EXPECT_EQ(six,
            (std::map<std::string, double>{
                {"time_min_s", 1}, {"time_median_s", 3.5}, {"time_low_s", 1}, {"time_high_s", 6}}));
}

// 2^-100000 is no number; 1.96 standard deviations are 310 ranks.
TEST(Dispersion, TakesManySamples) {
  const auto interval = dispersion_of(ranks(100'000)).interval;
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low_s, 50'000 - 310, 2);
  EXPECT_NEAR(interval->high_s, 50'000 + 311, 2);
}

}  // namespace
}  // namespace regroup
