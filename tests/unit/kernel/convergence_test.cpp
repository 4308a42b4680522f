// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/outcome.hpp"
#include "regroup/walker.hpp"

namespace regroup {
namespace {

/// Reports of `every` samples each of a chain x' = r x + √(1 - r²) z, whose samples have mean
/// `middle` and variance 1; of them all, `(1 - r) / (1 + r)` are worth an independent one.
void add_chain(std::vector<ChainReport>& reports, int number, int every, int count, double r,
               double middle) {
  const auto normal = [&](int i) {
    return standard_normal(random_bits(7, Purpose::exploration, static_cast<std::uint64_t>(number),
                                       static_cast<std::uint64_t>(i)));
  };
  double x = normal(0);
  int drawn = 0;
  for (int report = 1; report <= count; ++report) {
    Observed seen;
    for (int i = 0; i < every; ++i) {
      x = r * x + std::sqrt(1 - r * r) * normal(++drawn);
      seen.sample(middle + x);
    }
    const double mean = seen.sum / every;
    reports.push_back({number, report, every, mean, seen.squares / every - mean * mean, 0, 0, 0});
  }
}

TEST(Convergence, IsNearOneWhereChainsAgree) {
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain) add_chain(reports, chain, 100, 200, 0, 5);
  const Convergence found = convergence_of(reports);
  EXPECT_NEAR(found.r_hat, 1, 0.001);
  EXPECT_NEAR(found.mean, 5, 0.03);
  EXPECT_NEAR(found.effective_samples, 4 * 100 * 100, 0.15 * 40000);  // half does not count
}

TEST(Convergence, IsFarFromOneWhereTheyDoNot) {
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain) add_chain(reports, chain, 100, 100, 0, chain);
  // The variance of 0, 1, 2, 3 is 5/3, beside 1 within.
  EXPECT_NEAR(convergence_of(reports).r_hat, std::sqrt(1 + 5.0 / 3), 0.03);
}

TEST(Convergence, CountsSamplesThatDependOnEachOtherForLess) {
  std::vector<ChainReport> reports;
  for (int chain = 0; chain < 4; ++chain) add_chain(reports, chain, 500, 200, 0.8, 0);
  const double all = 4 * 500 * 100;
  EXPECT_NEAR(convergence_of(reports).effective_samples / all, 0.2 / 1.8, 0.03);
}

TEST(Convergence, LeavesOutTheFirstHalfOfEachChain) {
  std::vector<ChainReport> reports{{0, 1, 10, 1e6, 1, 0, 0, 0},
                                   {0, 2, 10, 4, 1, 0, 0, 0},
                                   {1, 1, 10, -1e6, 1, 0, 0, 0},
                                   {1, 2, 30, 8, 1, 0, 0, 0}};
  EXPECT_EQ(convergence_of(reports).mean, 7);
  EXPECT_EQ(convergence_of(reports).r_hat, 0);  // one report each is left
}

TEST(Convergence, SaysNothingOfNothing) {
  EXPECT_EQ(convergence_of({}).r_hat, 0);
  EXPECT_EQ(convergence_of({}).effective_samples, 0);
  std::vector<ChainReport> alone;
  add_chain(alone, 0, 100, 20, 0, 1);
  EXPECT_EQ(convergence_of(alone).r_hat, 0);
  EXPECT_GT(convergence_of(alone).effective_samples, 0);
  std::vector<ChainReport> still;  // nothing moves
  for (int chain = 0; chain < 2; ++chain) {
    for (int i = 1; i <= 6; ++i) still.push_back({chain, i, 10, 3, 0, 0, 0, 0});
  }
  EXPECT_EQ(convergence_of(still).r_hat, 0);
  EXPECT_EQ(convergence_of(still).effective_samples, 0);
}

}  // namespace
}  // namespace regroup
