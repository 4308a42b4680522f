// SPDX-License-Identifier: BSD-3-Clause
//
// Every order of events for every balancer, as long as there are few groups with few items.
#include "kernel/explorer/explorer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "explorer/size.hpp"
#include "jobs/catalog/resolve.hpp"

namespace regroup {
namespace {

struct Case {
  Choice balancer;
  int groups;
  std::int64_t most_items;
  int group_size = 1;
  int waiting = 0;  // walkers behind those of the groups
};

/// For the name of a test: "collective_2", "asynchronous_merge".
std::string name(const Choice& balancer) {
  std::string name = balancer.name;
  for (const auto& [option, value] : balancer.options) {
    if (std::ranges::all_of(value, [](unsigned char c) { return std::isalnum(c); })) {
      name += '_' + value;
    }
  }
  return name;
}

/// What an option can be that makes a difference in small runs.
std::vector<std::string> values(const OptionSpec& spec) {
  if (!spec.words.empty()) return {spec.words.begin(), spec.words.end()};
  if (spec.type == OptionSpec::Type::integer && spec.min <= 1 && spec.max >= 3) {
    return {"1", "2", "3"};
  }
  return {std::string(spec.fallback)};
}

/// Every balancer of the list, with every combination of its options.
std::vector<Choice> variants() {
  std::vector<Choice> all;
  for (const BalancerEntry& entry : standard_catalog().balancers) {
    std::vector<Choice> of_entry{{std::string(entry.name), {}}};
    for (const OptionSpec& spec : entry.options) {
      std::vector<Choice> more;
      for (const Choice& choice : of_entry) {
        for (const std::string& value : values(spec)) {
          more.push_back(choice);
          more.back().options.set(std::string(spec.name), value);
        }
      }
      of_entry = std::move(more);
    }
    all.insert(all.end(), of_entry.begin(), of_entry.end());
  }
  return all;
}

/// Groups of these can be divided, which gives far more states.
bool divides(const Choice& balancer) {
  return balancer.name == "two_sided" || balancer.name == "spread" || balancer.name == "batch";
}

/// Up to five groups with up to three items, six with up to two, and three groups with so many that
/// an interval is over more than twice. Where groups are divided: up to three, also of two ranks,
/// and four with an item. All of them also with walkers that wait.
std::vector<Case> cases() {
  std::vector<Case> cases;
  for (const Choice& balancer : variants()) {
    cases.push_back({balancer, 1, 2, 1, 2});
    cases.push_back({balancer, 2, 2, 1, 2});
    cases.push_back({balancer, 2, 1, 2, 3});
    cases.push_back({balancer, 3, 1, 1, 2});
    if (divides(balancer)) {
      for (int groups = 1; groups <= 3; ++groups) {
        for (const int size : {1, 2})
          cases.push_back({balancer, groups, explore_less ? 2 : 3, size});
      }
      if (!explore_less) cases.push_back({balancer, 4, 1});
      continue;
    }
    for (int groups = 1; groups <= (explore_less ? 4 : 5); ++groups) {
      cases.push_back({balancer, groups, 3});
    }
    cases.push_back({balancer, 3, explore_less ? 5 : 8});
    if (!explore_less) cases.push_back({balancer, 6, 2});
  }
  return cases;
}

class EveryOrder : public testing::TestWithParam<Case> {};

TEST_P(EveryOrder, ExecutesEveryItemOnceAndLetsEverybodyStop) {
  const auto& [balancer, groups, most_items, group_size, waiting] = GetParam();
  const bool idle = find_entry(standard_catalog().balancers, balancer.name)->start == Start::idle;
  const auto starts = all_starts(groups + waiting, most_items);
  // Where nodes are known every second group is on the other one.
  std::vector<int> nodes;
  for (int rank = 0; rank < groups * group_size; ++rank) nodes.push_back(rank / group_size % 2);
  const bool prefers =
      balancer.options.has("prefer_own_node") && balancer.options.text("prefer_own_node") == "true";
  const Exploration seen = explore(*make_balancer(balancer), starts, group_size,
                                   {waiting, idle, prefers ? NodeMap(nodes) : NodeMap()});
  EXPECT_EQ(seen.violation, std::nullopt);
  EXPECT_GE(seen.finals, 1u);
  fmt::print(
      "{}: {} groups of {}, {} walkers behind, 0 to {} items each: {} starts, {} states, {} "
      "steps, {} ends\n",
      name(balancer), groups, group_size, waiting, most_items, starts.size(), seen.states,
      seen.steps, seen.finals);
}

INSTANTIATE_TEST_SUITE_P(Each, EveryOrder, testing::ValuesIn(cases()), [](const auto& test) {
  const Case& c = test.param;
  return fmt::format("{}_{}_groups_of_{}_{}_items{}", name(c.balancer), c.groups, c.group_size,
                     c.most_items, c.waiting > 0 ? fmt::format("_{}_wait", c.waiting) : "");
});

TEST(AllStarts, AreAllCombinations) {
  EXPECT_THAT(all_starts(2, 1),
              testing::ElementsAre(testing::ElementsAre(0, 0), testing::ElementsAre(0, 1),
                                   testing::ElementsAre(1, 0), testing::ElementsAre(1, 1)));
}

}  // namespace
}  // namespace regroup
