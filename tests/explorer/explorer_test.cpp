// SPDX-License-Identifier: BSD-3-Clause
//
// Every order of events for every balancer, as long as there are few groups with few items.
#include "kernel/virtual/explorer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "balancers/balancers.hpp"
#include "explorer/size.hpp"

namespace regroup {
namespace {

struct Case {
  Choice balancer;
  int groups;
  std::int64_t most_items;
};

std::string name(const Choice& balancer) {
  std::string name = balancer.name;
  if (balancer.options.has("interval")) name += '_' + balancer.options.text("interval");
  if (balancer.options.has("finished")) name += '_' + balancer.options.text("finished");
  return name;
}

Choice collective(int interval) { return {"collective", {{"interval", std::to_string(interval)}}}; }
Choice asynchronous(const char* finished) {
  return {"asynchronous", {{"finished", finished}, {"listen_ms", "1"}}};
}

/// Up to five groups with up to three items, six with up to two, and three groups with so many that
/// an interval is over more than twice.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const Choice& balancer : {Choice{"none", {}}, collective(1), collective(2), collective(3),
                                 asynchronous("release"), asynchronous("merge")}) {
    for (int groups = 1; groups <= (explore_less ? 4 : 5); ++groups) {
      cases.push_back({balancer, groups, 3});
    }
    cases.push_back({balancer, 3, explore_less ? 5 : 8});
  }
  if (explore_less) return cases;
  for (const Choice& balancer : {collective(1), asynchronous("release"), asynchronous("merge")}) {
    cases.push_back({balancer, 6, 2});
  }
  return cases;
}

class EveryOrder : public testing::TestWithParam<Case> {};

TEST_P(EveryOrder, ExecutesEveryItemOnceAndLetsEverybodyStop) {
  const auto& [balancer, groups, most_items] = GetParam();
  const auto starts = all_starts(groups, most_items);
  const Exploration seen = explore(*make_balancer(balancer), starts);
  EXPECT_EQ(seen.violation, std::nullopt);
  EXPECT_GE(seen.finals, 1u);
  fmt::print("{}: {} groups, 0 to {} items each: {} starts, {} states, {} steps, {} ends\n",
             name(balancer), groups, most_items, starts.size(), seen.states, seen.steps,
             seen.finals);
}

INSTANTIATE_TEST_SUITE_P(Each, EveryOrder, testing::ValuesIn(cases()), [](const auto& test) {
  return fmt::format("{}_{}_groups_{}_items", name(test.param.balancer), test.param.groups,
                     test.param.most_items);
});

TEST(EveryOrder, IsExploredOfEveryBalancerOfTheList) {
  for (const BalancerEntry& entry : balancers()) {
    EXPECT_TRUE(std::ranges::any_of(cases(), [&](const Case& each) {
      return each.balancer.name == entry.name;
    })) << entry.name;
  }
}

TEST(AllStarts, AreAllCombinations) {
  EXPECT_THAT(all_starts(2, 1),
              testing::ElementsAre(testing::ElementsAre(0, 0), testing::ElementsAre(0, 1),
                                   testing::ElementsAre(1, 0), testing::ElementsAre(1, 1)));
}

}  // namespace
}  // namespace regroup
