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

class LongestFirst final : public Balancer {
 public:
  explicit LongestFirst(std::int64_t interval) : interval_(interval) {}

  Decision decide(const Knowledge& known) override {
    const bool alone = known.group.ranks.size() == known.ranks;
    const std::int64_t items = known.group.chain.items_left;
    if (alone && items == 0) return {Stop{}, {}};
    worked_ = items > 0 && !worked_;
    if (worked_) return {Work{std::min(interval_, items), false}, {}};
    return {Exchange{}, {}};
  }

  // Every leader finds the same answer, since all look at the same groups.
  std::vector<Group> plan(std::span<const Group> groups, const Forecast&) const override {
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

  std::unique_ptr<Balancer> clone() const override { return std::make_unique<LongestFirst>(*this); }
  std::vector<std::int64_t> memory() const override { return {worked_}; }

 private:
  std::int64_t interval_;
  bool worked_ = false;
};

constexpr std::array options{
    integer_option("exchange_interval", "16", 1, 1e9, "items between two exchanges of loads"),
};

std::unique_ptr<Balancer> make(const Options& options) {
  return std::make_unique<LongestFirst>(options.integer("exchange_interval"));
}

}  // namespace

const BalancerEntry longest_first_row{
    {"longest_first", "who has no work helps where the most items are left for a rank", options},
    Regrouping::in_exchanges,
    Shapes::any,
    make,
    draws_nothing};
