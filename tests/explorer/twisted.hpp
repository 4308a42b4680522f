// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/explorer/explorer.hpp"

namespace regroup {

using Inner = std::unique_ptr<Balancer>;

/// Wraps a correct balancer and alters its decisions to introduce a mistake.
class Twisted final : public Balancer {
 public:
  using Twist = std::function<Decision(Inner& inner, const Knowledge& known)>;

  Twisted(Inner inner, Twist twist) : inner_(std::move(inner)), twist_(std::move(twist)) {}

  Decision decide(const Knowledge& known) override { return twist_(inner_, known); }
  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const override {
    return inner_->plan(groups, forecast);
  }
  std::string_view word(std::int32_t number) const override { return inner_->word(number); }
  std::unique_ptr<Balancer> clone() const override {
    return std::make_unique<Twisted>(inner_->clone(), twist_);
  }
  std::vector<std::int64_t> memory() const override { return inner_->memory(); }

 private:
  Inner inner_;
  Twist twist_;
};

/// Returns a twist that applies `change` to every decision of the inner balancer.
inline Twisted::Twist changing(void (*change)(Decision&, const Inner&, const Knowledge&)) {
  return [change](Inner& inner, const Knowledge& known) {
    Decision decision = inner->decide(known);
    change(decision, inner, known);
    return decision;
  };
}

/// Explores `balancer`, prints the violation found, and returns it, or "nothing".
inline std::string counterexample(const Balancer& balancer,
                                  std::span<const std::vector<std::int64_t>> starts,
                                  int group_size) {
  const std::string found = explore(balancer, starts, group_size).violation.value_or("nothing");
  fmt::print("{}\n", found);
  return found;
}
}  // namespace regroup
