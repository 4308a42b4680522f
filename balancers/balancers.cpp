// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/balancers.hpp"

#include <cmath>

namespace regroup {
namespace {

constexpr std::array entries{
    BalancerEntry{{"none", "never regroup: the baseline", {}},
                  Regrouping::never,
                  Shapes::ranges,
                  make_none,
                  draws_nothing},
    BalancerEntry{{"collective", "all ranks exchange loads every `exchange_interval` items",
                   collective_options},
                  Regrouping::in_exchanges,
                  Shapes::ranges,
                  make_collective,
                  draws_nothing},
    BalancerEntry{{"asynchronous", "a finished group asks the group on its right, and nobody else",
                   asynchronous_options},
                  Regrouping::any_time,
                  Shapes::ranges,
                  make_asynchronous,
                  asynchronous_draws},
    BalancerEntry{{"two_sided", "finished groups help their neighbours on both sides", {}},
                  Regrouping::any_time,
                  Shapes::ranges,
                  make_two_sided,
                  draws_nothing},
    BalancerEntry{
        {"spread", "finished groups are divided among those that will end last", spread_options},
        Regrouping::any_time,
        Shapes::any,
        make_spread,
        draws_nothing},
    BalancerEntry{{"batch",
                   "walkers wait until as many ranks are free as they want; nobody who works is "
                   "interrupted",
                   {}},
                  Regrouping::any_time,
                  Shapes::any,
                  make_batch,
                  draws_nothing,
                  Start::idle},
};

}  // namespace

Work work_listening(std::int64_t items, const Knowledge& known) {
  constexpr double most_looking = 0.005;
  const int ranks = known.group.ranks.size();
  double item_s = known.forecast.item_s(ranks);
  const double order_s = known.forecast.order_s(ranks);
  if (known.measured.items > 0) {
    item_s = std::exp(known.measured.log_mean);
  } else {
    items = std::min<std::int64_t>(items, 16);
  }
  if (order_s <= most_looking * item_s) return {items, true};
  const double unheard = std::ceil(order_s / (most_looking * item_s));
  if (unheard >= static_cast<double>(items)) return {items, false};
  return {static_cast<std::int64_t>(unheard), false};
}

std::span<const BalancerEntry> balancers() { return entries; }

}  // namespace regroup
