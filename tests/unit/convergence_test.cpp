// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "regroup/numbers.hpp"
#include "regroup/outcome.hpp"
#include "regroup/walker.hpp"

namespace regroup::convergence_test {
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

struct Told {
  ChainReport report;
  bool ended;
};

/// What a chain of so many items tells: its means are drawn, wide apart at its start.
std::vector<Told> reports_of(int number, std::int64_t items, std::int64_t every,
                             std::int64_t before = 0) {
  std::vector<Told> all;
  for (std::int64_t at = before; at < items;) {
    at = std::min(items, (at / every + 1) * every);
    const double drawn =
        standard_normal(random_bits(3, Purpose::exploration, static_cast<std::uint64_t>(number),
                                    static_cast<std::uint64_t>(at)));
    const double mean = drawn / 4 + 9.0 * number / static_cast<double>(at);
    all.push_back({{number, at, 10, mean, 1, 10, 5, static_cast<std::uint64_t>(at * 100 + number)},
                   at == items});
  }
  return all;
}

const std::vector<std::int64_t> lengths{300, 7, 0, 300, 250, 300};
constexpr std::int64_t every = 4;
constexpr StoppingRule asked{1.05, 600};

std::vector<Told> all_reports() {
  std::vector<Told> all;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::ranges::copy(reports_of(static_cast<int>(i), lengths[i], every), std::back_inserter(all));
  }
  return all;
}

/// The reports of all chains up to so many items.
std::vector<ChainReport> up_to(std::int64_t items) {
  std::vector<ChainReport> some;
  for (const Told& told : all_reports()) {
    if (told.report.items <= items) some.push_back(told.report);
  }
  return some;
}

std::int64_t first_that_is_enough() {
  for (std::int64_t items = 20 * every;; items += every) {
    if (asked.is_met_by(convergence_of(up_to(items)))) return items;
  }
}

TEST(Rounds, AreJudgedFromTheTwentiethOnAndAtMostTwentyWhileTheirNumberDoubles) {
  std::vector<std::int64_t> judged;
  for (std::int64_t round = next_checked(0); round < 2000; round = next_checked(round)) {
    judged.push_back(round);
  }
  EXPECT_EQ(judged.front(), 20);
  EXPECT_EQ(judged[19], 39);
  for (std::size_t i = 1; i < judged.size(); ++i) {
    EXPECT_GT(judged[i], judged[i - 1]);
    EXPECT_LE(20 * judged[i], 21 * judged[i - 1]);
  }
  EXPECT_LT(judged.size(), 110u);
}

TEST(ConvergenceMonitor, FindsTheFirstRoundThatIsEnoughInWhateverOrderReportsCome) {
  const std::int64_t right = first_that_is_enough();
  ASSERT_GT(right, 20 * every);
  ASSERT_LT(right, 39 * every);  // up to there each round is judged
  EXPECT_EQ(items_until_met(up_to(right), every, asked), right);
  EXPECT_EQ(items_until_met(up_to(300), every, asked), right);
  EXPECT_EQ(items_until_met(up_to(right - 1), every, asked), 0);
  ASSERT_LT(right, 250);
  std::vector<Told> all = all_reports();
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::ranges::shuffle(all, std::mt19937(seed));
    ConvergenceMonitor monitor(every, asked, lengths);
    for (const Told& told : all) {
      EXPECT_FALSE(monitor.complete());
      monitor.add(told.report, told.ended);
    }
    EXPECT_TRUE(monitor.complete());
    EXPECT_EQ(monitor.enough_items(), right);
    EXPECT_EQ(monitor.reports(), up_to(right));
    EXPECT_EQ(monitor.ends(),
              (std::vector<ChainEnd>{{0, right, static_cast<std::uint64_t>(right * 100)},
                                     {1, 7, 701},
                                     {3, right, static_cast<std::uint64_t>(right * 100 + 3)},
                                     {4, right, static_cast<std::uint64_t>(right * 100 + 4)},
                                     {5, right, static_cast<std::uint64_t>(right * 100 + 5)}}));
  }
}

TEST(ConvergenceMonitor, JudgesARoundAsSoonAsItIsThereAndNotBefore) {
  ConvergenceMonitor monitor(every, asked, std::vector<std::int64_t>{9, 12});
  const auto first = reports_of(0, 9, every);
  const auto second = reports_of(1, 12, every);
  monitor.add(second[0].report, false);
  monitor.add(second[1].report, false);
  EXPECT_EQ(monitor.items(), 0);
  monitor.add(first[1].report, false);  // the one before it is still on its way
  EXPECT_EQ(monitor.items(), 0);
  monitor.add(first[0].report, false);
  EXPECT_EQ(monitor.items(), 8);
  monitor.add(second[2].report, true);
  EXPECT_EQ(monitor.items(), 8);
  EXPECT_FALSE(monitor.complete());
  monitor.add(first[2].report, true);
  EXPECT_EQ(monitor.items(), 12);
  EXPECT_TRUE(monitor.complete());
}

TEST(ConvergenceMonitor, KeepsAllReportsWhereTheyNeverAreEnough) {
  for (const StoppingRule& enough :
       {StoppingRule{}, StoppingRule{1.0001, 1e9}, StoppingRule{0.1, 0}, StoppingRule{0, 1e9}}) {
    ConvergenceMonitor monitor(every, enough, lengths);
    for (const Told& told : all_reports()) monitor.add(told.report, told.ended);
    EXPECT_TRUE(monitor.complete());
    EXPECT_EQ(monitor.enough_items(), 0);
    EXPECT_EQ(monitor.reports(), up_to(300));
    const Convergence found = monitor.found();
    EXPECT_EQ(found.r_hat, convergence_of(up_to(300)).r_hat);
  }
}

TEST(ConvergenceMonitor, KnowsHowFarChainsAreThatObserveNothingNow) {
  ConvergenceMonitor monitor(5, {0, 1}, std::vector<std::int64_t>{10});
  monitor.add({0, 5, 0, 0, 0, 0, 0, 0}, false);
  EXPECT_EQ(monitor.items(), 5);
  monitor.add({0, 10, 0, 0, 0, 0, 0, 0}, true);
  EXPECT_TRUE(monitor.complete());
  EXPECT_TRUE(monitor.reports().empty());
  EXPECT_EQ(monitor.enough_items(), 0);
  EXPECT_TRUE(ConvergenceMonitor(5, asked, std::vector<std::int64_t>{0, 0}).complete());
}

TEST(ConvergenceMonitor, ExpectsNothingOfWhatWasExecutedBefore) {
  const std::vector<std::int64_t> left{3, 0, 9};
  const std::vector<std::int64_t> before{7, 30, 11};
  ConvergenceMonitor monitor(5, {}, left, before);
  for (const Told& told : reports_of(0, 10, 5, 7)) monitor.add(told.report, told.ended);
  EXPECT_FALSE(monitor.complete());
  for (const Told& told : reports_of(2, 20, 5, 11)) monitor.add(told.report, told.ended);
  EXPECT_TRUE(monitor.complete());
  EXPECT_EQ(monitor.items(), 20);
}

}  // namespace
}  // namespace regroup::convergence_test
