// SPDX-License-Identifier: BSD-3-Clause
//
// The paper's Table 1 on real processes: the number of regroupings depends on the rules alone, not
// on timing. Source: Dinan et al., EuroMPI 2011, Table 1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "kernel/regroup_statistics.hpp"
#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "tests/mpi/world.hpp"
#include "tests/tasks.hpp"

namespace regroup::golden_regroupings_test {
namespace {

Task paper(std::string balancer, std::string communicator) {
  return run_of(catalog(), {{"ranks", std::to_string(world().ranks)},
                            {"item_ms", "4"},
                            {"workload", "cyclic(multiplier=10 modulus=32)"},
                            {"balancer", std::move(balancer)},
                            {"communicator", std::move(communicator)},
                            {"waiting", crowded_waiting()}});
}

void expect_no_violation(const Task& task, const Outcome& outcome) {
  const auto violation = first_violation(task, outcome);
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
  const Task task =
      paper(fmt::format("collective(exchange_interval={})", row.interval), "comm_split");
  const Outcome outcome = execute(task, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_no_violation(task, outcome);
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, task.ranks);
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

// Partners depend on timing, so this checks only invariants of every run, not numbers.
TEST_P(GoldenAsynchronous, RegroupsOnRealProcesses) {
  const Task task = paper(fmt::format("asynchronous(finished_groups={} listen_ms=1)", GetParam()),
                          "create_group");
  const Outcome outcome = execute(task, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  expect_no_violation(task, outcome);
  const RegroupStatistics statistics = regroup_statistics(outcome.lives, task.ranks);
  EXPECT_GE(statistics.min, GetParam() == "merge" ? 1 : 0);
  EXPECT_LE(statistics.max, GetParam() == "merge" ? task.ranks / 4 - 1 : 7);
  EXPECT_GT(statistics.average, 0);
}

INSTANTIATE_TEST_SUITE_P(Finished, GoldenAsynchronous, testing::Values("release", "merge"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace regroup::golden_regroupings_test
