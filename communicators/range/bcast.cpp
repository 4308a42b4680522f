// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"
#include "communicators/range/pipeline.hpp"
#include "communicators/range/reduce.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

BcastMachine::BcastMachine(const Comm& comm, const Label& label, void* data, int count,
                           MPI_Datatype type, int root, int piece, int width)
    : lane_(comm, label),
      tree_(comm.rank(), comm.size(), root, width),
      data_(data),
      count_(count_with_bytes(count, type)),
      type_(type),
      piece_(piece) {
  if (count_ == 0) {
    sent_on_ = true;
  } else if (tree_.is_root()) {
    send_on();
  } else {
    for_each_piece(
        [&](void* place, int elements) { lane_.receive(place, elements, type_, tree_.parent()); });
  }
}

template <class Transfer>
void BcastMachine::for_each_piece(Transfer transfer) const {
  for (int first = 0; first < count_; first += piece_) {
    transfer(element(data_, first, type_), std::min(piece_, count_ - first));
  }
}

void BcastMachine::send_on() {
  sent_on_ = true;
  // The last child comes first, because its subtree is the largest and deepest.
  for (int i = tree_.children() - 1; i >= 0; --i) {
    for_each_piece(
        [&](void* place, int elements) { lane_.send(place, elements, type_, tree_.child(i)); });
  }
}

bool BcastMachine::advance() {
  if (!lane_.settled()) return false;
  if (sent_on_) return true;
  send_on();
  return lane_.settled();
}

namespace {

template <class Form>
auto bcast_as(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag) {
  require_member(comm);
  require_buffer(data);
  require_elements(count, type);
  require_rank("the root", root, comm);
  if (is_pipelined(message_bytes(count, type), comm)) {
    return Form::template run_in_steps<LongBcastMachine>(comm, Kind::bcast, tag, data, count, type,
                                                         root);
  }
  return Form::template run<BcastMachine>(comm, Kind::bcast, tag, data, count, type, root);
}

}  // namespace

void bcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag) {
  bcast_as<Blocking>(data, count, type, root, comm, tag);
}
Request ibcast(void* data, int count, MPI_Datatype type, int root, const Comm& comm, int tag) {
  return bcast_as<Nonblocking>(data, count, type, root, comm, tag);
}

namespace {

/// Sends empty messages up the tree, then down. Two ranks exchange messages at the same time.
class BarrierMachine {
 public:
  BarrierMachine(const Comm& comm, const Label& label)
      : lane_(comm, label), tree_(comm.rank(), comm.size(), 0, tree_width(Way::up, 0)) {
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
