// SPDX-License-Identifier: BSD-3-Clause
//
// What a collective operation costs, on a range communicator (ours) or on one of MPI's (MPI's own),
// with or without making the communicator: after Figures 4, 7 and 9 of the RBC paper (arXiv
// 1710.08027).
//
// A sample (samples.hpp) is `calls` operations in a row, the roots of which take turns.
#include <vector>

#include "kernel/mpi/measurement/collective_operations.hpp"
#include "kernel/mpi/measurement/samples.hpp"

namespace regroup {
namespace {

class CollectiveBench {
 public:
  explicit CollectiveBench(const Bench& bench)
      : bench_(bench),
        operation_(collective_operation(bench.subject.options.text("operation"))),
        group_(Members::range(0, bench.integer("group_size"))),
        calls_(bench.integer("calls_per_sample")),
        creation_timed_(bench.subject.options.text("creation") == "timed"),
        scene_{group_.place_of(bench.world.rank()), group_.size(), 0,
               bench.integer("elements_per_rank")} {
    if (is_member()) buffers_ = buffers_for(operation_, scene_);
  }

  std::vector<Sample> times(int samples) {
    comm_ = make_communicator(bench_, group_);
    verify_results();
    if (creation_timed_) free_communicator();
    std::vector<Sample> all = time_samples(bench_, samples, is_member(), [&] {
      if (creation_timed_) comm_ = make_communicator(bench_, group_);
      call_in_a_row();
      if (creation_timed_) free_communicator();
    });
    free_communicator();
    return all;
  }

 private:
  bool is_member() const { return scene_.rank >= 0; }

  void free_communicator() {
    bench_.world.waiter().blocking([&] { comm_ = GroupComm(); });
  }

  void verify_results() {
    if (!is_member()) return;
    for (const int root : {0, scene_.size - 1}) {
      scene_.root = root;
      verify(operation_, scene_, comm_, bench_.world.waiter());
    }
  }

  void call_in_a_row() {
    if (!is_member()) return;
    for (int call = 0; call < calls_; ++call) {
      scene_.root = call % scene_.size;
      execute(operation_, buffers_, scene_, comm_, bench_.world.waiter());
    }
  }

  const Bench& bench_;
  const CollectiveOperation& operation_;
  Members group_;
  int calls_;
  bool creation_timed_;
  Scene scene_;
  Buffers buffers_;
  GroupComm comm_;
};

}  // namespace

Findings measure_collectives(const Bench& bench) {
  return {{{"time_s", CollectiveBench(bench).times(bench.integer("samples"))}}, {}};
}

}  // namespace regroup
