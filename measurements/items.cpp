// SPDX-License-Identifier: BSD-3-Clause
//
// What an item takes a group of group_size members: what makes the group's work faster, and where
// more members do not any more.
//
// The first group_size ranks hold a chain and execute its items together, as in a run, but without
// their leader's orders (steps.cpp has these). A sample (samples.hpp) is the mean of `items` in a
// row. Groups of all sizes execute the same items: the chain depends on the seed alone.
#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engines/mpi/chains.hpp"
#include "measurements/bench.hpp"

namespace regroup {
namespace {

class ItemsBench {
 public:
  explicit ItemsBench(const Bench& bench)
      : bench_(bench),
        members_(Members::range(0, bench.integer("group_size"))),
        items_(bench.integer("items_per_sample")),
        item_s_(bench.subject.item_s / members_.size()),
        comm_(make_communicator(bench, members_)) {
    if (!is_member()) return;
    team_.emplace(comm_, bench.world.waiter());
    chain_.emplace(bench.subject.walkers, ChainName{0, bench.subject.stream});
  }

  /// The times of an item in `samples` samples.
  std::vector<Sample> times(int samples) {
    std::vector<Sample> each = time_samples(bench_, samples, is_member(), [&] {
      if (!is_member()) return;
      for (int item = 0; item < items_; ++item) chain_->execute(item_s_, *team_);
    });
    for (Sample& sample : each) sample.value_s /= items_;
    if (is_member()) check_that_all_have_the_same_chain();
    bench_.world.waiter().blocking([&] { comm_ = GroupComm(); });
    return each;
  }

 private:
  bool is_member() const { return members_.index_of(bench_.world.rank()) >= 0; }

  /// A fast walker that computes something else is no result.
  void check_that_all_have_the_same_chain() {
    const auto hash = static_cast<std::int64_t>(chain_->end().hash);
    std::array least{hash};
    std::array most{hash};
    team_->min(least);
    team_->max(most);
    if (least != most) throw std::runtime_error("members of the group have different chains");
  }

  const Bench& bench_;
  Members members_;
  int items_;
  double item_s_;
  GroupComm comm_;
  std::optional<GroupTeam> team_;
  std::optional<LiveChain> chain_;
};

}  // namespace

Findings measure_items(const Bench& bench) {
  return {{{"time_s", ItemsBench(bench).times(bench.integer("samples"))}}, {}};
}

}  // namespace regroup
