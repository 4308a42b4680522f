// SPDX-License-Identifier: BSD-3-Clause
//
// A balancer that does what a test says, right or wrong.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

class Scripted final : public Balancer {
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
