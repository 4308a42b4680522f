// SPDX-License-Identifier: BSD-3-Clause
//
// none: every group executes its own walker in one step and stops. The baseline, without any work
// between items.
#include "balancers/balancers.hpp"

namespace regroup {

Decision None::decide(const Knowledge& known) {
  const std::int64_t items = known.group.chain.items_left;
  if (items > 0) return {Work{items, false}, {}};
  return {Stop{}, {}};
}

std::unique_ptr<Balancer> make_none(const Options&) {
  return std::make_unique<StatefulBalancer<None>>();
}

}  // namespace regroup
