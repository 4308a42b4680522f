// SPDX-License-Identifier: BSD-3-Clause
#include "balancers/balancers.hpp"

#include <cmath>

namespace regroup {
namespace {

constexpr std::array entries{
    BalancerEntry{{"none", "groups never regroup. This is the baseline.", {}},
                  Regrouping::never,
                  Shapes::ranges,
                  make_none,
                  draws_nothing},
    BalancerEntry{{"collective",
                   "all groups exchange their loads (the numbers of items left) every "
                   "`exchange_interval` items. A finished group then joins the nearest group on "
                   "higher ranks that still has items.",
                   collective_options},
                  Regrouping::in_exchanges,
                  Shapes::ranges,
                  make_collective,
                  draws_nothing},
    BalancerEntry{
        {"asynchronous",
         "a finished group asks the group on its right to merge. Only these two groups take part.",
         asynchronous_options},
        Regrouping::any_time,
        Shapes::ranges,
        make_asynchronous,
        asynchronous_draws},
    BalancerEntry{
        {"two_sided", "a finished group divides itself between its neighbours on both sides", {}},
        Regrouping::any_time,
        Shapes::ranges,
        make_two_sided,
        draws_nothing},
    BalancerEntry{
        {"spread",
         "the ranks of a finished group join the groups that are predicted to finish last",
         spread_options},
        Regrouping::any_time,
        Shapes::any,
        make_spread,
        draws_nothing},
    BalancerEntry{{"batch",
                   "a walker waits until the number of ranks that it wants is free. Working groups "
                   "are never interrupted.",
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
