// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/numbers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "kernel/numbers/statistics.hpp"

namespace regroup::numbers_test {
namespace {

double random_from(double low, double high, std::uint64_t number) {
  return low + (high - low) * unit_interval(random_bits(1, Purpose::exploration, 0, number));
}

void expect_close(double ours, double theirs, double x) {
  EXPECT_LE(std::abs(ours - theirs), 1e-14 * std::abs(theirs)) << "at " << x;
}

TEST(ExactLog, AgreesWithTheLibraryOverAllMagnitudes) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double x = std::ldexp(random_from(0.5, 1, i), static_cast<int>(i % 2000) - 1000);
    expect_close(exact::log(x), std::log(x), x);
    expect_close(exact::log2(x), std::log2(x), x);
  }
}

TEST(ExactLog, KeepsItsPrecisionAroundOne) {
  EXPECT_EQ(exact::log(1), 0);
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double x = 1 + std::ldexp(random_from(-1, 1, i), -static_cast<int>(i % 50));
    if (x > 0) expect_close(exact::log(x), std::log(x), x);
  }
}

TEST(ExactLog2, IsExactAtPowersOfTwo) {
  for (int k = -1000; k <= 1000; ++k) EXPECT_EQ(exact::log2(std::ldexp(1.0, k)), k);
}

TEST(ExactExp, AgreesWithTheLibraryOverAllMagnitudes) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double x = random_from(-690, 690, i);
    expect_close(exact::exp(x), std::exp(x), x);
    expect_close(exact::exp(x / 1000), std::exp(x / 1000), x / 1000);
  }
}

TEST(ExactExp, EndsInZeroAndInfinity) {
  EXPECT_EQ(exact::exp(0), 1);
  EXPECT_EQ(exact::exp(-1e6), 0);
  EXPECT_TRUE(std::isinf(exact::exp(1e6)));
}

TEST(ExactNormalQuantile, InvertsTheDistributionFunction) {
  const auto below = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
  for (double z = -8; z <= 5; z += 0.01) {
    // An error of one unit in the last place of p moves z by p · 2^-53 / density.
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::acos(-1.0));
    const double p = below(z);
    EXPECT_NEAR(exact::normal_quantile(p), z, 1e-14 * (1 + std::abs(z)) + 4e-16 * p / density);
  }
  EXPECT_EQ(exact::normal_quantile(0.5), 0);
}

// Every bit of these must be the same on every machine.
TEST(ExactMath, HasTheSameLastBitEverywhere) {
  EXPECT_EQ(exact::log(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(exact::log2(10), 0x1.a934f0979a371p+1);
  EXPECT_EQ(exact::log(1e-7), -0x1.01e3b843eaa73p+4);
  EXPECT_EQ(exact::exp(1), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(exact::exp(0.346), 0x1.69d4c0fb048cfp+0);  // needs every term of the series
  EXPECT_EQ(exact::exp(-12.5), 0x1.f42ed3f68e69p-19);
  EXPECT_EQ(exact::normal_quantile(0.3), -0x1.0c7e39582c5fap-1);
  EXPECT_EQ(exact::normal_quantile(0.999), 0x1.8b8cbb720447p+1);
  EXPECT_EQ(exact::normal_quantile(1e-12), -0x1.c234fba57a32ap+2);
}

// Philox4x32-10 of the all-zero counter and key starts with the words 6627e8d5 e169c58d:
// kat_vectors of Random123. `decision` is purpose 0.
TEST(RandomBits, AreThoseOfThePublishedGenerator) {
  EXPECT_EQ(random_bits(0, Purpose::decision, 0, 0), 0xe169c58d6627e8d5u);
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

/// Returns the samples 1, 2, …, count, in another order; each sample equals its rank.
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

// Ranks from tables of the sign test for 95 %.
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

// The extremes of five samples contain the true median with a probability of 93.75 % only.
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

// 2^-100000 underflows; 1.96 standard deviations are 310 ranks.
TEST(Dispersion, TakesManySamples) {
  const auto interval = dispersion_of(ranks(100'000)).interval;
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low_s, 50'000 - 310, 2);
  EXPECT_NEAR(interval->high_s, 50'000 + 311, 2);
}

}  // namespace
}  // namespace regroup::numbers_test
