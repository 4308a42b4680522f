// SPDX-License-Identifier: BSD-3-Clause
//
// A balancer that does what a test says, right or wrong.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernel/balancer.hpp"

namespace regroup {

class Scripted final : public Balancer {
 public:
  using Script = std::function<Decision(const Knowledge&)>;
  using Partition = std::function<std::vector<RankRange>(std::span<const GroupLoad>)>;

  explicit Scripted(Script script, Partition partition = {})
      : script_(std::move(script)), partition_(std::move(partition)) {}

  Decision decide(const Knowledge& known) override { return script_(known); }
  std::vector<RankRange> partition(std::span<const GroupLoad> loads) const override {
    return partition_ ? partition_(loads) : Balancer::partition(loads);
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Scripted>(*this); }
  std::vector<std::int64_t> memory() const override { return {}; }

 private:
  Script script_;
  Partition partition_;
};

}  // namespace regroup
