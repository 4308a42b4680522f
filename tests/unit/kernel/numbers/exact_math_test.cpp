// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "regroup/numbers.hpp"

namespace regroup {
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

}  // namespace
}  // namespace regroup
