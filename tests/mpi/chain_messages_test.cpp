// SPDX-License-Identifier: BSD-3-Clause
//
// Chains that exchange messages, on real processes: results do not depend on the placement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "library/execute.hpp"
#include "library/resolve.hpp"
#include "tests/mpi/world.hpp"
#include "tests/tasks.hpp"

namespace regroup::chain_messages_mpi_test {
namespace {

struct Case {
  std::string balancer;
  std::string strategy;
};

Task task_of(const Case& one, const Chosen<WalkerEntry>& walker) {
  Task task = with(usual_task(catalog()), {{"ranks", std::to_string(world().ranks)},
                                           {"item_ms", "0.3"},
                                           {"waiting", crowded_waiting()}});
  task.run().walker = walker;
  task.run().workload = workload("constant", {{"mean_items", "13"}});
  task.run().balancer = balancer(one.balancer);
  task.run().strategy = one.strategy.empty() ? nullptr : strategy(one.strategy);
  return task;
}

class ChainsThatExchange : public testing::TestWithParam<Case> {
 protected:
  /// Checks that results are equal for groups of every size, with one and with several chains each.
  void expect_the_same(const Chosen<WalkerEntry>& walker) {
    std::optional<std::string> hash;
    for (const int group_size : {1, 2, 3, world().ranks}) {
      if (group_size > world().ranks) continue;
      Task task = task_of(GetParam(), walker);
      task.run().group_size = group_size;
      task.run().walkers_in_all = 2 * world().ranks;
      SCOPED_TRACE(fmt::format("groups of {}", group_size));
      const Outcome outcome = execute(task, MPI_COMM_WORLD);
      if (world().rank != 0) continue;
      EXPECT_EQ(first_violation(task, outcome), std::nullopt);
      EXPECT_EQ(outcome.communicators_left, 0);
      EXPECT_NE(outcome.chains_hash, "");
      if (!hash) hash = outcome.chains_hash;
      EXPECT_EQ(outcome.chains_hash, *hash);
    }
  }
};

TEST_P(ChainsThatExchange, InRounds) {
  for (const char* partners : {"neighbours", "all"}) {
    expect_the_same(chosen(catalog().walkers, "rounds", {{"rounds", "4"}, {"partners", partners}}));
  }
}

TEST_P(ChainsThatExchange, Replicas) {
  expect_the_same(chosen(catalog().walkers, "replica_exchange",
                         {{"atoms", "7"}, {"swap_every", "2"}, {"moves_per_item", "5"}}));
}

INSTANTIATE_TEST_SUITE_P(Each, ChainsThatExchange,
                         testing::Values(Case{"none", ""}, Case{"asynchronous", "create_group"},
                                         Case{"asynchronous", "range"},
                                         Case{"spread", "create_group"},
                                         Case{"two_sided", "range"}),
                         [](const auto& test) {
                           return test.param.balancer + (test.param.strategy.empty() ? "" : "_") +
                                  test.param.strategy;
                         });

}  // namespace
}  // namespace regroup::chain_messages_mpi_test
