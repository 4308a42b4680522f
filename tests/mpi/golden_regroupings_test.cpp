// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's Table 1 on real processes: how often they regroup depends on the rules alone, not on
// time. Source: Dinan et al., EuroMPI 2011, Table 1.
#include <gtest/gtest.h>

#include <string>

#include "kernel/regroup_statistics.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "tests/mpi/world.hpp"

namespace regroup::golden_regroupings_test {
namespace {

Scenario paper(Choice balancer, std::string communicator) {
  Scenario scenario;
  scenario.experiment = "golden";
  scenario.ranks = world().ranks;
  scenario.item_ms = 4;
  scenario.workload = {"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  scenario.balancer = std::move(balancer);
  scenario.communicator = std::move(communicator);
  scenario.waiting = crowded_waiting();
  return scenario;
}

void expect_no_violation(const Scenario& scenario, const Outcome& outcome) {
  const auto violation = first_violation(scenario, outcome.lives);
  EXPECT_FALSE(violation) << *violation;
}

struct Row {
  int interval;
  double average, deviation;
  int min, max;
};

class GoldenCollective : public testing::TestWithParam<Row> {};

TEST_P(GoldenCollective, RegroupsOnRealProcessesAsInThePaper) {
  const Row& row = GetParam();
  const Scenario scenario =
      paper({"collective", {{"exchange_interval", std::to_string(row.interval)}}}, "comm_split");
  const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_no_violation(scenario, outcome);
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, scenario.ranks);
  EXPECT_DOUBLE_EQ(statistics.average, row.average);
  EXPECT_NEAR(statistics.deviation, row.deviation, 5e-5);
  EXPECT_EQ(statistics.min, row.min);
  EXPECT_EQ(statistics.max, row.max);
}

INSTANTIATE_TEST_SUITE_P(Table1, GoldenCollective,
                         testing::Values(Row{1, 5.375, 2.1176, 2, 8}, Row{16, 5.375, 2.1176, 2, 8},
                                         Row{32, 5.375, 2.1176, 2, 8}, Row{64, 3.750, 1.1990, 2, 5},
                                         Row{128, 2.625, 0.4841, 2, 3}),
                         [](const auto& test) {
                           return "interval_" + std::to_string(test.param.interval);
                         });

class GoldenAsynchronous : public testing::TestWithParam<std::string> {};

// Who meets whom depends on time, so no numbers: only what must hold in every run.
TEST_P(GoldenAsynchronous, RegroupsOnRealProcesses) {
  const Scenario scenario = paper(
      {"asynchronous", {{"finished_groups", GetParam()}, {"listen_ms", "1"}}}, "create_group");
  const Outcome outcome = execute(scenario, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_no_violation(scenario, outcome);
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, scenario.ranks);
  EXPECT_GE(statistics.min, GetParam() == "merge" ? 1 : 0);
  EXPECT_LE(statistics.max, GetParam() == "merge" ? scenario.ranks / 4 - 1 : 7);
  EXPECT_GT(statistics.average, 0);
}

INSTANTIATE_TEST_SUITE_P(Finished, GoldenAsynchronous, testing::Values("release", "merge"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace regroup::golden_regroupings_test
