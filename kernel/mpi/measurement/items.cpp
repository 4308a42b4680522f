// SPDX-License-Identifier: BSD-3-Clause
//
// What an item takes a group of group_size members: what makes the group's work faster, and where
// more members do not any more.
//
// The first group_size ranks hold a chain and execute its items together, as in a run, but without
// their leader's orders (steps.cpp has these). Each sample begins at a common start
// (common_start.hpp) and ends with the last member's last item; its time is the mean of `items` in
// a row. Groups of all sizes execute the same items: the chain depends on the seed alone. Ranks
// outside, and members that are done, sleep for as long as samples take: polling for the next one
// would take the cores from others.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "communicators/range/collectives.hpp"
#include "kernel/items/sleep.hpp"
#include "kernel/mpi/chains/team.hpp"
#include "kernel/mpi/measurement/measure.hpp"
#include "kernel/mpi/stage/common_start.hpp"
#include "kernel/mpi/stage/tags.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

constexpr int warm_ups = 3;

class ItemsBench {
 public:
  explicit ItemsBench(const Bench& bench)
      : world_(bench.world),
        clock_(bench.clock),
        members_(Members::range(0, bench.integer("group_size"))),
        items_(bench.integer("items")),
        item_s_(bench.subject.item_s / members_.size()) {
    form(bench.subject);
    if (!is_member()) return;
    team_.emplace(comm_, world_.waiter());
    chain_.emplace(bench.subject.walkers, ChainName{0, bench.subject.stream});
  }

  /// The times of an item in `samples` samples.
  std::vector<double> times(int samples) {
    double longest = 0;
    for (int i = 0; i < warm_ups; ++i) longest = std::max(longest, slowest({sample(0)}).front());
    std::vector<double> own;
    for (int i = 0; i < samples; ++i) own.push_back(sample(2 * longest));
    if (is_member()) check_that_all_have_the_same_chain();
    world_.waiter().blocking([&] { comm_ = GroupComm(); });
    std::vector<double> each = slowest(own);
    for (double& time : each) time /= items_;
    return each;
  }

 private:
  bool is_member() const { return members_.place_of(world_.rank()) >= 0; }

  void form(const Subject& subject) {
    if (!is_member() && subject.strategy.caller != Caller::parent) return;
    world_.waiter().blocking([&] {
      comm_ = subject.make(world_, is_member() ? members_ : Members(), tag_communicator);
    });
    if (is_member() && comm_.size() != members_.size()) {
      throw std::runtime_error(fmt::format("the communicator has {} ranks instead of {}",
                                           comm_.size(), members_.size()));
    }
  }

  /// Until this member's end; 0 where it is none. Ends `window_s` after the start at the earliest.
  double sample(double window_s) {
    const double start = common_start(world_, clock_);
    if (is_member()) {
      for (int item = 0; item < items_; ++item) chain_->execute(item_s_, *team_);
    }
    const double took = clock_.now() - start;
    if (took < window_s) sleep_for(window_s - took);
    return is_member() ? took : 0;
  }

  /// The largest of all ranks, for each of `times`.
  std::vector<double> slowest(const std::vector<double>& times) const {
    std::vector<double> result(times.size());
    const int count = static_cast<int>(times.size());
    allreduce(times.data(), result.data(), count, MPI_DOUBLE, MPI_MAX, world_.all());
    return result;
  }

  /// A fast walker that computes something else is no result.
  void check_that_all_have_the_same_chain() {
    const auto hash = static_cast<std::int64_t>(chain_->end().hash);
    std::array least{hash};
    std::array most{hash};
    team_->min(least);
    team_->max(most);
    if (least != most) throw std::runtime_error("members of the group have different chains");
  }

  Site& world_;
  const SharedClock& clock_;
  Members members_;
  int items_;
  double item_s_;
  GroupComm comm_;
  std::optional<GroupTeam> team_;
  std::optional<LiveChain> chain_;
};

}  // namespace

std::map<std::string, double> measure_items(const Bench& bench) {
  ItemsBench items(bench);
  std::map<std::string, double> figures;
  add(figures, "time", spread_of(items.times(bench.integer("samples"))));
  return figures;
}

}  // namespace regroup
