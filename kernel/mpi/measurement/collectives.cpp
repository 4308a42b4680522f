// SPDX-License-Identifier: BSD-3-Clause
//
// What a collective operation costs, on a range communicator (ours) or on one of MPI's (MPI's own),
// with or without making the communicator: after Figures 4, 7 and 9 of the RBC paper (arXiv
// 1710.08027).
//
// Each sample begins at a common start (common_start.hpp) and ends with the return of the last
// member; the time that one member takes would say little, since it may come when all is there.
// Ranks outside do nothing but, where the strategy wants all ranks, to make the communicator. Who
// is done sleeps for as long as samples take: polling for the next one would take the cores from
// others.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "kernel/items/sleep.hpp"
#include "kernel/mpi/measurement/collective_operations.hpp"
#include "kernel/mpi/measurement/measure.hpp"
#include "kernel/mpi/stage/common_start.hpp"
#include "kernel/mpi/stage/tags.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

constexpr int warm_ups = 3;

class CollectiveBench {
 public:
  explicit CollectiveBench(const Bench& bench)
      : world_(bench.world),
        clock_(bench.clock),
        operation_(collective_operation(bench.subject.options.text("operation"))),
        group_(Members::range(0, bench.integer("group_size"))),
        calls_(bench.integer("calls")),
        creation_timed_(bench.subject.options.text("creation") == "timed"),
        scene_{group_.place_of(world_.rank()), group_.size(), 0, bench.integer("elements")},
        make_(bench.subject.make),
        parent_collective_(bench.subject.strategy.caller == Caller::parent) {
    if (is_member()) buffers_ = buffers_for(operation_, scene_);
  }

  bool is_member() const { return scene_.rank >= 0; }

  /// The times of `samples` samples.
  std::vector<double> times(int samples) {
    make_communicator();
    verify_results();
    if (creation_timed_) free_communicator();
    double longest = 0;
    for (int i = 0; i < warm_ups; ++i) longest = std::max(longest, slowest({sample(0)}).front());
    std::vector<double> own;
    for (int i = 0; i < samples; ++i) own.push_back(sample(2 * longest));
    free_communicator();
    return slowest(own);
  }

 private:
  void make_communicator() {
    if (!is_member() && !parent_collective_) return;
    world_.waiter().blocking(
        [&] { comm_ = make_(world_, is_member() ? group_ : Members(), tag_communicator); });
    if (is_member() && comm_.size() != group_.size()) {
      throw std::runtime_error(
          fmt::format("the communicator has {} ranks instead of {}", comm_.size(), group_.size()));
    }
  }

  void free_communicator() {
    world_.waiter().blocking([&] { comm_ = GroupComm(); });
  }

  void verify_results() {
    if (!is_member()) return;
    for (const int root : {0, scene_.size - 1}) {
      scene_.root = root;
      verify(operation_, scene_, comm_, world_.waiter());
    }
  }

  /// Until this member's return; 0 where it is none. Ends `window_s` after the start at the
  /// earliest.
  double sample(double window_s) {
    const double start = common_start(world_, clock_);
    if (creation_timed_) make_communicator();
    if (is_member()) {
      for (int call = 0; call < calls_; ++call) {
        scene_.root = call % scene_.size;
        execute(operation_, buffers_, scene_, comm_, world_.waiter());
      }
    }
    if (creation_timed_) free_communicator();
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

  Site& world_;
  const SharedClock& clock_;
  const CollectiveOperation& operation_;
  Members group_;
  int calls_;
  bool creation_timed_;
  Scene scene_;
  MakeCommunicator make_;
  bool parent_collective_;
  Buffers buffers_;
  GroupComm comm_;
};

}  // namespace

std::map<std::string, double> measure_collectives(const Bench& bench) {
  CollectiveBench collectives(bench);
  std::map<std::string, double> figures;
  add(figures, "time", spread_of(collectives.times(bench.integer("samples"))));
  return figures;
}

}  // namespace regroup
