// SPDX-License-Identifier: BSD-3-Clause
//
// helpers: every group executes half of its items, then all exchange loads, and finished groups
// join the group with the most items left. When no items are left anywhere, all join and stop.
#include <algorithm>
#include <regroup/program.hpp>

using namespace regroup;

std::int64_t left(const Group& group) { return group.chain.items_left; }

struct Helpers {
  bool worked = false;

  Decision decide(const Knowledge& known) {
    if (left(known.group) == 0 && known.group.ranks.size() == known.ranks) return {Stop{}, {}};
    worked = left(known.group) > 0 && !worked;
    if (worked) return {Work{(left(known.group) + 1) / 2}, {}};
    return {Exchange{}, {}};
  }

  std::vector<Group> plan(std::span<const Group> groups, const Forecast&) const {
    std::vector<Group> planned(groups.begin(), groups.end());
    std::ranges::stable_sort(planned, std::greater(), left);
    while (planned.size() > 1 && left(planned.back()) == 0) {
      planned.front().ranks = united(planned.front().ranks, planned.back().ranks);
      planned.pop_back();
    }
    std::ranges::sort(planned, {}, &Group::leader);
    return planned;
  }
};

std::unique_ptr<Balancer> make(const Options&) {
  return std::make_unique<StatefulBalancer<Helpers>>();
}

void regroup::add_rows(Catalog& catalog) {
  const Entry name{"helpers", "finished groups join the group with the most items left", {}};
  catalog.balancers.push_back({name, Regrouping::in_exchanges, Shapes::any, make, draws_nothing});
}
