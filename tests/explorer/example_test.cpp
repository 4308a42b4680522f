// SPDX-License-Identifier: BSD-3-Clause
//
// The balancer that docs/adding-a-balancer.md shows is one: it is explored and run like those of
// the list, to which nothing else is added.
#include <gtest/gtest.h>

#include <array>

#include "docs_example/one_by_one.hpp"
#include "engines/explorer/explorer.hpp"
#include "library/resolve.hpp"

namespace regroup::example_test {
namespace {

constexpr std::array rows{
#include "docs_example/one_by_one.row"
};

Catalog with_example() {
  Catalog catalog = standard_catalog();
  catalog.balancers.insert(catalog.balancers.end(), rows.begin(), rows.end());
  return catalog;
}

TEST(BalancerOfTheDocumentation, IsRightInEveryOrderOfEvents) {
  for (const char* interval : {"1", "2"}) {
    const auto balancer =
        make_balancer({"one_by_one", {{"exchange_interval", interval}}}, with_example());
    EXPECT_EQ(explore(*balancer, all_starts(4, 2)).violation, std::nullopt);
  }
}

TEST(BalancerOfTheDocumentation, BalancesARunInVirtualTime) {
  const Catalog catalog = with_example();
  Scenario run;
  run.ranks = 128;
  run.workload = {"cyclic", {{"multiplier", "10"}, {"modulus", "32"}}};
  const double without = simulate(run, {}, catalog).makespan_s();
  run.balancer = {"one_by_one", {{"exchange_interval", "16"}}};
  run.communicator = "comm_split";
  const Outcome outcome = simulate(run, {}, catalog);
  EXPECT_EQ(first_violation(run, outcome.lives, nullptr, catalog), std::nullopt);
  EXPECT_LT(outcome.makespan_s(), without);
  EXPECT_GE(outcome.makespan_s(), ideal_s(run));
}

}  // namespace
}  // namespace regroup::example_test
