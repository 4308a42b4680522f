// SPDX-License-Identifier: BSD-3-Clause
//
// Tests that the balancer in docs/extending.md works as documented: it is explored and run like the
// built-in balancers, with no further code.
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

const Catalog& with_example() {
  static const Catalog all = make_catalog([](Catalog& catalog) {
    catalog.balancers.insert(catalog.balancers.end(), rows.begin(), rows.end());
  });
  return all;
}

TEST(BalancerOfTheDocumentation, IsRightInEveryOrderOfEvents) {
  for (const char* interval : {"1", "2"}) {
    const auto balancer = rows[0].make({{"exchange_interval", interval}});
    EXPECT_EQ(explore(*balancer, all_starts(4, 2)).violation, std::nullopt);
  }
}

TEST(BalancerOfTheDocumentation, BalancesARunInVirtualTime) {
  const auto run_by = [](const char* balancer, const char* communicator) {
    return run_of(with_example(), {{"ranks", "128"},
                                   {"workload", "cyclic(multiplier=10 modulus=32)"},
                                   {"balancer", balancer},
                                   {"communicator", communicator}});
  };
  const Task run = run_by("one_by_one(exchange_interval=16)", "comm_split");
  const Outcome outcome = simulate(run);
  EXPECT_EQ(first_violation(run, outcome), std::nullopt);
  EXPECT_LT(outcome.makespan_s(), simulate(run_by("none", "")).makespan_s());
  EXPECT_GE(outcome.makespan_s(), ideal_s(run, initial_items(run)));
}

}  // namespace
}  // namespace regroup::example_test
