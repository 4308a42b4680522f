// SPDX-License-Identifier: BSD-3-Clause
//
// Janus Quicksort over every strategy that forms ranges of ranks.
#include "sorting/sort_over.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/mpi/mpi_calls.hpp"
#include "tests/mpi/sorted.hpp"
#include "tests/mpi/strategy_fixture.hpp"

namespace regroup::sorting {
namespace {

class SortOver : public StrategyTest {
 protected:
  /// Beyond, the strategies that take longest would take all the time.
  static bool few_ranks() { return world().ranks <= 9 || world().ranks == 16; }

  SortFacts expect_sorted_over(const Case& sort, const SortOptions& options = {}) {
    return expect_sorted<double>(
        sort, options, [&](std::vector<double>& data, const SortOptions& told) {
          return sort_over(data, parent_, strategy(), maker(strategy()), told);
        });
  }
};

TEST_P(SortOver, SortsInputsOfSomeSizes) {
  if (!few_ranks()) return;
  for (const InputEntry& entry : inputs) {
    const auto seed = static_cast<std::uint64_t>(entry.input) + 1;
    SortOptions options;
    if (seed % 2 == 0) options.most_gathered = 0;
    expect_sorted_over({entry.input, Sizes::same, 1 + static_cast<long long>(seed) % 3, seed},
                       options);
  }
  expect_sorted_over({Input::uniform, Sizes::random, 100, 2});
  EXPECT_EQ(count().alive, 0);
}

TEST_P(SortOver, SortsFewerElementsThanRanks) {
  if (!few_ranks()) return;
  for (int n = 0; n < world().ranks; n += 3) {
    std::vector<double> data;
    if (world().rank >= world().ranks - n) data = {-world().rank / 2.0};
    sort_over(data, parent_, strategy(), maker(strategy()));
    EXPECT_TRUE(ascends(data));
    EXPECT_EQ(data.size(), world().rank < n ? 1u : 0u);
  }
  EXPECT_EQ(count().alive, 0);
}

TEST_P(SortOver, SortsWhereMessagesAreAssignedDeterministically) {
  if (!few_ranks()) return;
  SortOptions options;
  options.assignment = Assignment::deterministic;
  expect_sorted_over({Input::gaussian, Sizes::same, 20, 1}, options);
}

TEST_P(SortOver, IsToldByItsCodeAlone) {
  if (!few_ranks()) return;
  expect_sorted<double>({Input::uniform, Sizes::same, 2, 1}, {},
                        [&](std::vector<double>& data, const SortOptions& told) {
                          return sort_over(data, parent_, maker(strategy()), strategy().caller,
                                           told);
                        });
}

TEST_P(SortOver, MakesCommunicatorsOfMpiUnlessTheyAreRanges) {
  const long before = calls_so_far().constructors;
  if (few_ranks() || strategy().local()) {
    expect_sorted_over({Input::uniform, Sizes::same, 5, 1});
  }
  const long made = calls_so_far().constructors - before;
  if (strategy().local()) {
    EXPECT_EQ(made, 0);
  } else if (few_ranks() && world().ranks >= 8) {
    EXPECT_GT(largest(made), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, SortOver,
                         testing::ValuesIn(strategies_that(&Strategy::serves_balancers)), name_of);

}  // namespace
}  // namespace regroup::sorting
