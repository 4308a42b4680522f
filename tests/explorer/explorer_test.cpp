// SPDX-License-Identifier: BSD-3-Clause
//
// Explores every order of events for every balancer, with few groups and few items.
#include "engines/explorer/explorer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "driver/check/check_balancer.hpp"
#include "library/resolve.hpp"
#include "tests/long_tests.hpp"
#include "tests/tasks.hpp"

namespace regroup::explorer_test {
namespace {

struct Case {
  Chosen<BalancerEntry> balancer;
  SmallRuns runs;
};

/// Returns every balancer of the catalog with every combination of its options.
std::vector<Chosen<BalancerEntry>> all_variants() {
  std::vector<Chosen<BalancerEntry>> all;
  for (const BalancerEntry& entry : catalog().balancers) {
    std::ranges::move(variants(entry), std::back_inserter(all));
  }
  return all;
}

/// Whether the balancer can divide groups, which gives far more states.
bool divides(const Chosen<BalancerEntry>& balancer) {
  return balancer->name == "two_sided" || balancer->name == "spread" || balancer->name == "batch";
}

/// Up to five groups with up to three items, six with up to two, and three with more than two
/// intervals of items. If the balancer divides groups: up to three groups of one or two ranks, and
/// four with one item. Every balancer also runs with waiting walkers.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const Chosen<BalancerEntry>& balancer : all_variants()) {
    cases.push_back({balancer, {1, 2, 1, 2}});
    cases.push_back({balancer, {2, 2, 1, 2}});
    cases.push_back({balancer, {2, 1, 2, 3}});
    cases.push_back({balancer, {3, 1, 1, 2}});
    if (divides(balancer)) {
      for (int groups = 1; groups <= 3; ++groups) {
        for (const int size : {1, 2})
          cases.push_back({balancer, {groups, long_tests() ? 3 : 2, size}});
      }
      if (long_tests()) cases.push_back({balancer, {4, 1}});
      continue;
    }
    for (int groups = 1; groups <= (long_tests() ? 5 : 4); ++groups) {
      cases.push_back({balancer, {groups, 3}});
    }
    cases.push_back({balancer, {3, long_tests() ? 8 : 5}});
    if (long_tests()) cases.push_back({balancer, {6, 2}});
  }
  return cases;
}

class EveryOrder : public testing::TestWithParam<Case> {};

TEST_P(EveryOrder, ExecutesEveryItemOnceAndLetsEverybodyStop) {
  const auto& [balancer, runs] = GetParam();
  const Exploration seen = explore(balancer, runs);
  EXPECT_EQ(seen.violation, std::nullopt);
  EXPECT_GE(seen.finals, 1u);
  fmt::print("{}: {}: {} states, {} steps, {} ends\n", test_name(balancer), describe(runs),
             seen.states, seen.steps, seen.finals);
}

INSTANTIATE_TEST_SUITE_P(Each, EveryOrder, testing::ValuesIn(cases()), [](const auto& test) {
  const Chosen<BalancerEntry>& balancer = test.param.balancer;
  const SmallRuns& runs = test.param.runs;
  return fmt::format("{}_{}_groups_of_{}_{}_items{}", test_name(balancer), runs.groups,
                     runs.group_size, runs.most_items,
                     runs.waiting > 0 ? fmt::format("_{}_wait", runs.waiting) : "");
});

/// Groups larger than the best size give ranks back, in every order of events.
TEST(ASlowerGroup, GivesRanksBackAndEverythingIsExecutedOnce) {
  for (const Chosen<BalancerEntry>& spread : variants(*find_entry(catalog().balancers, "spread"))) {
    const auto prototype = spread->make(spread.options);
    for (const auto& [groups, items, size] :
         {std::tuple(2, 5, 1), {2, 4, 2}, {3, 2, 1}, {4, 2, 1}}) {
      if (groups > 3 && !long_tests()) continue;
      ExplorerSetup setup;
      setup.best_size = size;
      const auto starts = all_starts(groups, items);
      const Exploration learnt = explore(*prototype, starts, size, setup);
      EXPECT_EQ(learnt.violation, std::nullopt) << test_name(spread);
      EXPECT_GE(learnt.finals, 1u);
      if (groups > 2) continue;
      EXPECT_NE(learnt.states, explore(*prototype, starts, size).states) << "none gave any back";
    }
  }
}

/// Each item but the first needs the messages that the neighbouring chains send in the item before.
MessagePattern step_by_step(std::span<const std::int64_t> items) {
  return {items, [&](int chain, std::int64_t item) {
            std::vector<Need> needs;
            for (const int other : {chain - 1, chain + 1}) {
              if (item == 0 || other < 0 || other >= static_cast<int>(items.size())) continue;
              if (items[static_cast<std::size_t>(other)] >= item)
                needs.push_back({other, item - 1});
            }
            return needs;
          }};
}

class ChainsThatWait : public testing::TestWithParam<Chosen<BalancerEntry>> {};

TEST_P(ChainsThatWait, AreAllExecutedInEveryOrder) {
  const Chosen<BalancerEntry>& balancer = GetParam();
  const auto prototype = balancer->make(balancer.options);
  struct Small {
    int groups, waiting;
    std::int64_t most_items;
  };
  std::vector<Small> all{{2, 0, 3}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}, {3, 0, 2}};
  if (divides(balancer)) all = {{2, 0, 2}, {1, 2, 2}, {2, 1, 1}, {3, 0, 1}};
  for (const auto& [groups, waiting, most_items] : all) {
    ExplorerSetup setup;
    setup.walkers = waiting;
    setup.messages = step_by_step;
    const Exploration seen =
        explore(*prototype, all_starts(groups + waiting, most_items), 1, setup);
    EXPECT_EQ(seen.violation, std::nullopt) << groups << " groups, " << waiting << " wait";
    EXPECT_GE(seen.finals, 1u);
    fmt::print("{}: {} states\n", test_name(balancer), seen.states);
  }
}

std::vector<Chosen<BalancerEntry>> variants_for_exchanges() {
  std::vector<Chosen<BalancerEntry>> all = all_variants();
  const auto rounds = chosen(catalog().walkers, "rounds");
  std::erase_if(all, [&](const Chosen<BalancerEntry>& balancer) {
    return !hindrance(*balancer.row, rounds).empty();
  });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, ChainsThatWait, testing::ValuesIn(variants_for_exchanges()),
                         [](const auto& test) { return test_name(test.param); });

TEST(AllStarts, AreAllCombinations) {
  EXPECT_THAT(all_starts(2, 1),
              testing::ElementsAre(testing::ElementsAre(0, 0), testing::ElementsAre(0, 1),
                                   testing::ElementsAre(1, 0), testing::ElementsAre(1, 1)));
}

}  // namespace
}  // namespace regroup::explorer_test
