// SPDX-License-Identifier: BSD-3-Clause
#include "longest_first.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

using namespace regroup;

namespace {

double items_per_rank(const Group& group) {
  return static_cast<double>(group.chain.items_left) / group.ranks.size();
}

struct LongestFirst {
  std::int64_t interval;
  bool worked = false;

  Decision decide(const Knowledge& known) {
    const bool alone = known.group.ranks.size() == known.ranks;
    const std::int64_t items = known.group.chain.items_left;
    if (alone && items == 0) return {Stop{}, {}};
    worked = items > 0 && !worked;
    if (worked) return {Work{std::min(interval, items)}, {}};
    return {Exchange{}, {}};
  }

  // All leaders see the same groups, so all compute the same answer.
  std::vector<Group> plan(std::span<const Group> groups, const Forecast&) const {
    const Group& longest = *std::ranges::max_element(groups, {}, items_per_rank);
    Group joined{longest.ranks, longest.chain, {}};
    std::vector<Group> planned;
    for (const Group& group : groups) {
      if (group.chain.items_left == 0) {
        joined.ranks = united(joined.ranks, group.ranks);
      } else if (&group != &longest) {
        planned.push_back(group);
      }
    }
    planned.push_back(joined);
    std::ranges::sort(planned, {}, &Group::leader);
    return planned;
  }
};

constexpr std::array options{
    integer_option("exchange_interval", "16", 1, 1e9, "items between two exchanges of loads"),
};

std::unique_ptr<Balancer> make(const Options& options) {
  return std::make_unique<StatefulBalancer<LongestFirst>>(
      LongestFirst{options.integer("exchange_interval")});
}

}  // namespace

const BalancerEntry longest_first_row{
    {"longest_first", "groups without work help where the most items are left per rank", options},
    Regrouping::in_exchanges,
    Shapes::any,
    make,
    draws_nothing};
