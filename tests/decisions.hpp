// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {
// Knowledge that a test passes to a balancer.

/// One rank takes a second per item, n ranks take 1/n seconds; all other costs are zero.
inline const Forecast second_per_item{[](int ranks) { return 1.0 / ranks; },
                                      [](int) { return 0.0; }, [](int) { return 0.0; }};

/// Owns the group of a `Knowledge`, in a run of sixteen ranks.
struct Known {
  Group group;
  std::optional<Message> message;
  std::uint64_t random = 0;

  operator Knowledge() const { return {group, 16, second_per_item, message, random}; }
};

// Decisions of a balancer in a test.
namespace decisions {
inline Decision work(std::int64_t items, bool listening = false) {
  return {Work{items, listening}, {}};
}
inline Decision wait(std::optional<double> at_most_s = {}) { return {Wait{at_most_s}, {}}; }
inline Decision exchange() { return {Exchange{}, {}}; }
inline Decision stop() { return {Stop{}, {}}; }
inline Decision merge(RankRange ranks, int walker, std::int64_t items) {
  return {merged(ranks, {walker, items}), {}};
}
inline Decision then_send(Decision decision, int to, std::int64_t number = 0) {
  decision.send = {{to, {0, 0, {}, {number}}}};
  return decision;
}
inline Group group(RankSet ranks, Chain chain = {}, std::vector<std::int64_t> note = {}) {
  return {std::move(ranks), chain, std::move(note)};
}
inline std::int64_t items_left(const Knowledge& known) { return known.group.chain.items_left; }
}  // namespace decisions

/// Returns the decisions and plans of a test's functions, right or wrong.
class Scripted : public Balancer {
 public:
  using Script = std::function<Decision(const Knowledge&)>;
  using Plan = std::function<std::vector<Group>(std::span<const Group>)>;

  explicit Scripted(Script script, Plan plan = {})
      : script_(std::move(script)), plan_(std::move(plan)) {}

  Decision decide(const Knowledge& known) override { return script_(known); }
  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const override {
    return plan_ ? plan_(groups) : Balancer::plan(groups, forecast);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Scripted>(*this); }
  std::vector<std::int64_t> memory() const override { return {}; }

 private:
  Script script_;
  Plan plan_;
};
}  // namespace regroup
