// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "engines/audit/audit.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/regroup_statistics.hpp"
#include "library/resolve.hpp"
#include "tests/tasks.hpp"

namespace regroup::golden_numbers_test {
namespace {

// The paper's Table 1 and the execution times that follow from the rules alone, when communication
// is free. Source: Dinan et al., EuroMPI 2011, Table 1.

Task paper(int ranks, const std::string& balancer) {
  return virtual_run({{"ranks", std::to_string(ranks)},
                      {"workload", "cyclic(multiplier=10 modulus=32)"},
                      {"balancer", balancer}});
}

struct Row {
  int interval;
  double average, deviation;
  int min, max;
  double makespan_s;
};

class GoldenCollective : public testing::TestWithParam<std::tuple<int, Row>> {};

TEST_P(GoldenCollective, RegroupsAsInThePaper) {
  const auto& [ranks, row] = GetParam();
  const Outcome outcome =
      simulate(paper(ranks, fmt::format("collective(exchange_interval={})", row.interval)));
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, ranks);
  EXPECT_DOUBLE_EQ(statistics.average, row.average);
  EXPECT_NEAR(statistics.deviation, row.deviation, 5e-5);
  EXPECT_EQ(statistics.min, row.min);
  EXPECT_EQ(statistics.max, row.max);
  EXPECT_DOUBLE_EQ(outcome.makespan_s(), row.makespan_s);
}

INSTANTIATE_TEST_SUITE_P(Table1, GoldenCollective,
                         testing::Combine(testing::Values(32, 64, 256, 8192),
                                          testing::Values(Row{1, 5.375, 2.1176, 2, 8, 6.125},
                                                          Row{2, 5.375, 2.1176, 2, 8, 6.125},
                                                          Row{4, 5.375, 2.1176, 2, 8, 6.125},
                                                          Row{8, 5.375, 2.1176, 2, 8, 6.125},
                                                          Row{16, 5.375, 2.1176, 2, 8, 6.125},
                                                          Row{32, 5.375, 2.1176, 2, 8, 6.475},
                                                          Row{64, 3.750, 1.1990, 2, 5, 6.475},
                                                          Row{128, 2.625, 0.4841, 2, 3, 6.475})),
                         [](const auto& test) {
                           return "interval_" + std::to_string(std::get<1>(test.param).interval) +
                                  "_ranks_" + std::to_string(std::get<0>(test.param));
                         });

TEST(GoldenNone, TakesAsLongAsTheLongestWalker) {
  const Outcome outcome = simulate(paper(64, "none"));
  EXPECT_DOUBLE_EQ(outcome.makespan_s(), 7.0);
  EXPECT_EQ(regroup_statistics(outcome.lives, 64).max, 0);
}

TEST(GoldenAsynchronous, ReleasingComesWithinOnePercentOfTheIdeal) {
  const Task run = paper(8192, "asynchronous(finished_groups=release listen_ms=1)");
  const Outcome outcome = simulate(run);
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, 8192);
  EXPECT_DOUBLE_EQ(ideal_s(run, initial_items(run)), 3.5);
  EXPECT_DOUBLE_EQ(outcome.makespan_s(), 3.521875);
  EXPECT_DOUBLE_EQ(statistics.average, 4.375);
  EXPECT_NEAR(statistics.deviation, 2.1176, 5e-5);
  EXPECT_EQ(statistics.min, 1);
  EXPECT_EQ(statistics.max, 7);
}

// The seed determines the coins of finished groups. The paper reports 14.38, 3.54, 5 and 26.
TEST(GoldenAsynchronous, MergingTossesTheSameCoinsEveryTime) {
  const Outcome outcome = simulate(paper(8192, "asynchronous(finished_groups=merge listen_ms=1)"));
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, 8192);
  EXPECT_NEAR(outcome.makespan_s(), 3.532532051283, 1e-11);
  EXPECT_DOUBLE_EQ(statistics.average, 15.203125);
  EXPECT_NEAR(statistics.deviation, 3.34269, 5e-6);
  EXPECT_EQ(statistics.min, 3);
  EXPECT_EQ(statistics.max, 23);
}

}  // namespace
}  // namespace regroup::golden_numbers_test
