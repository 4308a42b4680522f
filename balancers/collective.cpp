// SPDX-License-Identifier: BSD-3-Clause
//
// collective(interval), the paper's synchronous balancer:
//
//   repeat
//     execute `interval` items, or those that are left; without work, none
//     exchange loads with everybody
//     every run of groups without work joins, in one regrouping, the first group with work on
//     its right; when nothing is left anywhere, all groups join
//   until one group is left and has no work; where it came to be before its work was done, all
//   ranks regroup once more at the end, as they do when nothing is left anywhere
//
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 4.
#include "balancers/collective.hpp"

#include <algorithm>

namespace regroup {
namespace {

class Collective final : public Balancer {
 public:
  explicit Collective(std::int64_t interval) : interval_(interval) {}

  Decision decide(const Knowledge& known) override {
    const bool alone = known.group.size() == known.ranks;
    if (known.items_left > 0 && last_ != Last::work) {
      last_ = Last::work;
      return {Work{alone ? known.items_left : std::min(interval_, known.items_left), false}, {}};
    }
    if (alone && last_ == Last::regrouping) return {Stop{}, {}};
    last_ = Last::regrouping;
    if (alone) return {Merge{known.group, known.walker, 0}, {}};
    return {Exchange{}, {}};
  }

  std::vector<RankRange> partition(std::span<const GroupLoad> loads) const override {
    std::vector<RankRange> ranges;
    std::size_t first = 0;  // of the groups that wait for one with work
    for (std::size_t i = 0; i < loads.size(); ++i) {
      if (loads[i].items_left == 0) continue;
      ranges.push_back({loads[first].ranks.lo, loads[i].ranks.hi});
      first = i + 1;
    }
    if (first == 0) return {{loads.front().ranks.lo, loads.back().ranks.hi}};
    for (; first < loads.size(); ++first) ranges.push_back(loads[first].ranks);
    return ranges;
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
  return std::make_unique<Collective>(options.integer("interval"));
}

}  // namespace regroup
