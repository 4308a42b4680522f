// SPDX-License-Identifier: BSD-3-Clause
//
// none: every group executes its own walker in one go and stops. The baseline, with nothing on the
// path of an item.
#include "balancers/balancers.hpp"

namespace regroup {
namespace {

class None final : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
    const std::int64_t items = known.group.chain.items_left;
    if (items > 0) return {Work{items, false}, {}};
    return {Stop{}, {}};
  }
  std::unique_ptr<Balancer> clone() const override { return std::make_unique<None>(*this); }
  std::vector<std::int64_t> memory() const override { return {}; }
};

}  // namespace

std::unique_ptr<Balancer> make_none(const Options&) { return std::make_unique<None>(); }

}  // namespace regroup
