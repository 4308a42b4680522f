// SPDX-License-Identifier: BSD-3-Clause
//
// Tests that the memory of a balancer contains every field of its rules: each field, at any depth,
// is changed in turn, and the memory must differ each time.
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <set>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

static_assert(field_count<None>() == 0 && field_count<Collective>() == 2 &&
              field_count<Message>() == 4 && field_count<HelpTable>() == 8);

template <class Container>
concept Map = requires {
  typename Container::mapped_type;
};
template <class Container>
concept Blocks = requires(Container blocks) {
  blocks.entries();
};
template <class Container>
concept Sequence = requires(Container sequence) {
  sequence.push_back({});
};
template <class Value>
concept Optional = requires(Value value) {
  value.has_value();
};

/// Changes each field of `value` in turn, calls `look`, and undoes the change.
template <class Value>
void change_each(Value& value, const std::function<void()>& look) {
  const auto look_at = [&](Value other) {
    std::swap(value, other);
    look();
    std::swap(value, other);
  };
  if constexpr (std::is_same_v<Value, bool>) {
    look_at(!value);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    look_at(value + 1);
  } else if constexpr (std::is_enum_v<Value>) {
    look_at(static_cast<Value>(static_cast<int>(value) + 1));
  } else if constexpr (std::is_same_v<Value, RankSet>) {
    look_at(united(value, RankSet(90, 90)));
    if (!value.empty()) look_at({});
  } else if constexpr (Optional<Value>) {
    look_at(value ? Value() : Value(std::in_place));
    if (value) change_each(*value, look);
  } else if constexpr (Map<Value>) {
    if (!value.empty()) look_at({});
    Value more = value;
    more[90];
    look_at(more);
    for (auto& [key, mapped] : value) change_each(mapped, look);
  } else if constexpr (Blocks<Value>) {
    if (!value.empty()) look_at({});
    Value more = value;
    more.insert({90, {}});
    look_at(more);
    for (auto& [key, rest] : value.entries()) change_each(rest, look);
  } else if constexpr (Sequence<Value>) {
    if (!value.empty()) look_at({});
    Value more = value;
    more.emplace_back();
    look_at(more);
    for (auto& element : value) change_each(element, look);
  } else if constexpr (std::ranges::range<Value>) {
    for (auto& element : value) change_each(element, look);
  } else {
    std::apply([&](auto&... field) { (change_each(field, look), ...); }, fields_of(value));
  }
}

/// Adds elements to all containers in `value`.
template <class Value>
void fill(Value& value) {
  if constexpr (std::is_same_v<Value, RankSet>) {
    value = RankSet::of({{1, 2}, {5, 5}});
  } else if constexpr (Optional<Value>) {
    fill(value.emplace());
  } else if constexpr (Map<Value>) {
    for (const int key : {1, 5}) fill(value[key]);
  } else if constexpr (Blocks<Value>) {
    value.insert({1, {}});
    value.insert({5, {}});
  } else if constexpr (Sequence<Value>) {
    value.resize(2);
    for (auto& element : value) fill(element);
  } else if constexpr (std::is_class_v<Value> && !std::ranges::range<Value>) {
    std::apply([](auto&... field) { (fill(field), ...); }, fields_of(value));
  }
}

Memory memory_of(const auto& value) {
  Memory memory;
  append(memory, value);
  return memory;
}

/// Expects a different memory after each change.
template <class Value>
void expect_complete_memory(Value value) {
  std::set<Memory> seen{memory_of(value)};
  change_each(value, [&] {
    EXPECT_TRUE(seen.insert(memory_of(value)).second) << "change " << seen.size();
  });
}

template <class Rules>
void check(const BalancerEntry& entry) {
  const std::unique_ptr<Balancer> made = entry.make(with_fallbacks(entry).options);
  EXPECT_EQ(made->clone()->memory(), made->memory());
  const auto* const balancer = dynamic_cast<const StatefulBalancer<Rules>*>(made.get());
  ASSERT_NE(balancer, nullptr);
  Rules rules = balancer->rules();
  EXPECT_EQ(memory_of(rules), made->memory());
  expect_complete_memory(rules);
  fill(rules);
  expect_complete_memory(rules);
}

TEST(Memory, DiffersWithEachFieldOfEachBalancer) {
  const std::map<std::string_view, void (*)(const BalancerEntry&)> checks{
      {"none", check<None>},
      {"collective", check<Collective>},
      {"asynchronous", check<Asynchronous>},
      {"two_sided", check<TwoSided>},
      {"spread", check<Spread>},
      {"batch", check<Batch>}};
  for (const BalancerEntry& entry : balancers()) {
    SCOPED_TRACE(entry.name);
    ASSERT_TRUE(checks.contains(entry.name));
    checks.at(entry.name)(entry);
  }
}

TEST(Memory, DiffersWithEachPartOfAGroupAndOfAMessage) {
  const Group group{{1, 3}, {1, 7}, {-1, 2}};
  expect_complete_memory(group);
  const Message message{3, 1, RankSet::of({{1, 2}, {5, 5}}), {1, 2, 3, 4}};
  expect_complete_memory(std::vector<Outgoing>{{4, message}, {5, {}}});
}

TEST(Memory, ContainsRealNumbersToTheLastBit) {
  EXPECT_NE(memory_of(1.0), memory_of(1.0 + 0x1p-52));
  EXPECT_EQ(memory_of(0.5), memory_of(0.5));
}

TEST(Memory, TellsWhereAContainerEnds) {
  struct Two {
    std::vector<int> one;
    std::vector<int> other;
  };
  EXPECT_NE(memory_of(Two{{1}, {}}), memory_of(Two{{}, {1}}));
  EXPECT_NE(memory_of(Two{{1, 1}, {1}}), memory_of(Two{{1}, {1, 1}}));
}

}  // namespace
}  // namespace regroup
