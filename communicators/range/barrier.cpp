// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/collectives.hpp"
#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"
#include "communicators/range/tree.hpp"

namespace regroup::range {
namespace {

/// Empty messages up the tree, then down. Two ranks need not wait for each other in turn.
class BarrierMachine {
 public:
  BarrierMachine(const Comm& comm, Kind kind, int tag)
      : lane_(comm, kind, tag), tree_(comm.rank(), comm.size(), 0, tree_width(Way::up, 0)) {
    if (comm.size() == 2) {
      stage_ = Stage::done;
      receive(1 - comm.rank());
      send(1 - comm.rank());
      return;
    }
    for (int i = 0; i < tree_.children(); ++i) receive(tree_.child(i));
    if (tree_.children() == 0) go_up();
  }

  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

  bool advance() {
    while (lane_.settled()) {
      if (stage_ == Stage::done) return true;
      if (stage_ == Stage::up) {
        go_up();
      } else {
        go_down();
      }
    }
    return false;
  }

 private:
  enum class Stage { up, down, done };

  void receive(int from) { lane_.receive(nullptr, 0, MPI_BYTE, from); }
  void send(int to) { lane_.send(nullptr, 0, MPI_BYTE, to); }

  void go_up() {
    stage_ = Stage::down;
    if (tree_.is_root()) return;
    send(tree_.parent());
    receive(tree_.parent());
  }

  void go_down() {
    stage_ = Stage::done;
    for (int i = tree_.children() - 1; i >= 0; --i) send(tree_.child(i));
  }

  Lane lane_;
  Tree tree_;
  Stage stage_ = Stage::up;
};

}  // namespace

void barrier(const Comm& comm, int tag) { run<BarrierMachine>(comm, Kind::barrier, tag); }

Request ibarrier(const Comm& comm, int tag) {
  return start<BarrierMachine>(comm, Kind::barrier, tag);
}

}  // namespace regroup::range
