// SPDX-License-Identifier: BSD-3-Clause
//
// Beside the exhaustive exploration of the small: random samples of the large, in virtual time.
// Each run is drawn from its number, so a failure can be had again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driver/check/check_balancer.hpp"
#include "library/resolve.hpp"
#include "tests/long_tests.hpp"
#include "tests/tasks.hpp"

namespace regroup::random_runs_test {
namespace {

TEST(RandomRuns, ExecuteEveryItemOnceAndLetEverybodyStop) {
  const std::uint64_t runs = long_tests() ? 5'000 : 500;
  std::size_t groups = 0;
  for (std::uint64_t run = 1; run <= runs; ++run) {
    const Task task = random_run(run, nullptr, catalog());
    SCOPED_TRACE(to_json(task));
    const Outcome outcome = simulate(task);
    groups += outcome.lives.size();
    ASSERT_EQ(first_violation(task, outcome.lives), std::nullopt);
  }
  fmt::print("{} runs with {} groups\n", runs, groups);
}

}  // namespace
}  // namespace regroup::random_runs_test
