// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace regroup::compare_test {
namespace {

std::vector<double> scaled(std::vector<double> times, double factor) {
  for (double& time : times) time *= factor;
  return times;
}

const std::vector<double> times{1.00, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07};

TEST(ExactRatio, DiffersWhereItIsNotOne) {
  EXPECT_EQ(exact_ratio(2, 2).p_same, 1);
  EXPECT_EQ(exact_ratio(2, 3).p_same, 0);
  EXPECT_EQ(exact_ratio(2, 3).low, 1.5);
}

TEST(RatioOfRepetitions, IsOneFactorWhereThereIsOne) {
  const Ratio ratio = ratio_of_repetitions(times, scaled(times, 1.25));
  EXPECT_NEAR(ratio.ratio, 1.25, 1e-12);
  EXPECT_GT(ratio.low, 1.05);
  EXPECT_LT(ratio.low, 1.25);
  EXPECT_GT(ratio.high, 1.25);
}

// Two samples of four: one of the 70 rank orders is extreme on each side.
TEST(RatioOfRepetitions, HasTheChancesOfRankSums) {
  const std::vector<double> a{1, 2, 3, 4};
  const std::vector<double> b{10, 20, 30, 40};
  const Ratio ratio = ratio_of_repetitions(a, b);
  EXPECT_NEAR(ratio.p_same, 2.0 / 70, 1e-12);
  // With the next order, 2/70 = 2.9 % would lie below: only the extremes can be the ends.
  EXPECT_NEAR(ratio.low, 10.0 / 4, 1e-12);
  EXPECT_NEAR(ratio.high, 40, 1e-12);
}

// Rank-sum tables for two samples of eight: the critical value is 13 at a two-sided level of 5 %.
TEST(RatioOfRepetitions, HasTheEndsThatTablesGive) {
  std::vector<double> a(8, 1);
  std::vector<double> b(8);
  std::iota(b.begin(), b.end(), 1);  // each ratio occurs eight times
  const Ratio ratio = ratio_of_repetitions(a, b);
  EXPECT_NEAR(ratio.low, 2, 1e-12);  // the 14th of 64 ratios
  EXPECT_NEAR(ratio.high, 7, 1e-12);
}

TEST(RatioOfRepetitions, SaysNothingOfThreeAndThree) {
  const std::vector<double> few{1, 2, 3};
  const Ratio ratio = ratio_of_repetitions(few, scaled(few, 100));
  EXPECT_EQ(ratio.method, Method::none);
  EXPECT_EQ(ratio.p_same, 1);
  EXPECT_NEAR(ratio.ratio, 100, 1e-9);
}

TEST(RatioOfRepetitions, TakesTiesForNoDifference) {
  EXPECT_EQ(ratio_of_repetitions(times, times).p_same, 1);
}

TEST(RatioOfRepetitions, GoesOnWithTheNormalLaw) {
  std::vector<double> few(40);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = 1 + std::fmod(0.618 * double(i), 1);
  std::vector<double> more = few;
  more.push_back(1.5);
  const Ratio exact = ratio_of_repetitions(few, scaled(few, 1.2));
  const Ratio normal = ratio_of_repetitions(few, scaled(more, 1.2));
  EXPECT_NEAR(normal.low, exact.low, 0.01);
  EXPECT_NEAR(normal.p_same, exact.p_same, 0.2 * exact.p_same);
}

// Six problems: one of the 64 sign patterns is extreme on each side.
TEST(RatioOfProblems, HasTheChancesOfSignedRanks) {
  const std::vector<double> six{1.1, 1.2, 1.3, 1.4, 1.5, 1.6};
  const Ratio ratio = ratio_of_problems(six);
  EXPECT_EQ(ratio.method, Method::problems);
  EXPECT_NEAR(ratio.p_same, 2.0 / 64, 1e-12);
  EXPECT_NEAR(ratio.low, 1.1, 1e-12);
  EXPECT_NEAR(ratio.high, 1.6, 1e-12);
  EXPECT_EQ(ratio_of_problems(std::span(six).first(5)).method, Method::none);
}

TEST(RatioOfStored, IsAsWideAsBothIntervals) {
  const StoredMedian a{1, {std::exp(-0.03), std::exp(0.04)}};
  const StoredMedian b{std::exp(0.2), {std::exp(0.2 - 0.03), std::exp(0.2 + 0.04)}};
  const Ratio ratio = ratio_of_stored(a, b);
  EXPECT_NEAR(std::log(ratio.low), 0.2 - 0.05, 1e-12);
  EXPECT_NEAR(std::log(ratio.high), 0.2 + 0.05, 1e-12);
  EXPECT_LT(ratio.p_same, 1e-10);
}

TEST(RatioOfStored, HasFivePercentWhereItsEndIsOne) {
  const StoredMedian a{1, {std::exp(-0.03), std::exp(0.04)}};
  const StoredMedian b{std::exp(0.05), {std::exp(0.02), std::exp(0.09)}};
  EXPECT_NEAR(ratio_of_stored(a, b).p_same, 0.05, 1e-9);
}

// At a level of 0.1 %, the interval is wider by the ratio of normal quantiles, 3.29 / 1.96.
TEST(RatioOfStored, IsWiderForMoreConfidence) {
  const StoredMedian a{1, {std::exp(-0.03), std::exp(0.04)}};
  const StoredMedian b{std::exp(0.2), {std::exp(0.2 - 0.03), std::exp(0.2 + 0.04)}};
  EXPECT_NEAR(std::log(ratio_of_stored(a, b, 0.001).low), 0.2 - 0.05 * 3.2905 / 1.9600, 1e-5);
}

// For every alpha, the interval excludes 1 exactly if the probability is at most alpha.
TEST(RatioOfRepetitions, HasAnIntervalThatAgreesWithItsChance) {
  for (const double factor : {1.001, 1.02, 1.03, 1.04, 1.05}) {
    for (const double alpha : {0.05, 0.02, 0.01, 0.004, 0.001}) {
      const Ratio ratio = ratio_of_repetitions(times, scaled(times, factor), alpha);
      ASSERT_EQ(ratio.method, Method::repetitions);
      EXPECT_EQ(ratio.low > 1, ratio.p_same <= alpha) << factor << " " << alpha;
    }
  }
}

TEST(RatioOfRepetitions, HasNoIntervalOfMoreConfidenceThanItsRepetitionsGive) {
  const std::vector<double> four{1, 2, 3, 4};
  EXPECT_EQ(ratio_of_repetitions(four, scaled(four, 100), 2.1 / 70).method, Method::repetitions);
  EXPECT_EQ(ratio_of_repetitions(four, scaled(four, 100), 1.9 / 70).method, Method::none);
}

TEST(CorrectedAlpha, IsThatOfBenjaminiAndHochberg) {
  EXPECT_DOUBLE_EQ(corrected_alpha(std::vector{0.04, 0.5, 0.9}), 0.05 / 3);
  EXPECT_DOUBLE_EQ(corrected_alpha(std::vector{0.9, 0.01, 0.03, 0.04}), 0.05 / 4);
  // The second p-value exceeds its own limit, but the third does not.
  EXPECT_DOUBLE_EQ(corrected_alpha(std::vector{0.001, 0.04, 0.045}), 0.05);
  EXPECT_DOUBLE_EQ(corrected_alpha({}), 0.05);
}

}  // namespace
}  // namespace regroup::compare_test
