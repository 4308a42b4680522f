// SPDX-License-Identifier: BSD-3-Clause
//
// collective(interval), the paper's synchronous balancer:
//
//   repeat
//     execute `exchange_interval` items, or those that are left; without work, none
//     exchange loads with everybody
//     every run of groups without work joins, in one regrouping, the first group with work on
//     its right; when nothing is left anywhere, all groups join
//   until one group is left and has no work; where it came to be before its work was done, all
//   ranks regroup once more at the end, as they do when nothing is left anywhere
//
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include <algorithm>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

class Collective final : public Balancer {
 public:
  explicit Collective(std::int64_t interval) : interval_(interval) {}

  Decision decide(const Knowledge& known) override {
    const bool alone = known.group.ranks.size() == known.ranks;
    const std::int64_t items = known.group.chain.items_left;
    if (items > 0 && (alone || last_ != Last::work)) {
      last_ = Last::work;
      return {Work{alone ? items : std::min(interval_, items), false}, {}};
    }
    if (alone && last_ == Last::regrouping) return {Stop{}, {}};
    last_ = Last::regrouping;
    if (alone) return {merged(known.group.ranks, known.group.chain), {}};
    return {Exchange{}, {}};
  }

  std::vector<Group> plan(std::span<const Group> groups, const Forecast&) const override {
    std::vector<Group> joined;
    std::size_t first = 0;  // of the groups that wait for one with work
    const auto join = [&](std::size_t last) {
      const RankRange together{groups[first].ranks.lo(), groups[last].ranks.hi()};
      joined.push_back({together, groups[last].chain, {}});
      first = last + 1;
    };
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups[i].chain.items_left > 0) join(i);
    }
    if (first == 0) {
      join(groups.size() - 1);
    } else {
      joined.insert(joined.end(), groups.begin() + static_cast<std::ptrdiff_t>(first),
                    groups.end());
    }
    return joined;
  }

  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Collective>(*this); }
  std::vector<std::int64_t> memory() const override { return {static_cast<std::int64_t>(last_)}; }

 private:
  enum class Last { nothing, work, regrouping };

  std::int64_t interval_;
  Last last_ = Last::nothing;
};

}  // namespace

std::unique_ptr<Balancer> make_collective(const Options& options) {
  return std::make_unique<Collective>(options.integer("exchange_interval"));
}

}  // namespace regroup
