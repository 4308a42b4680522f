// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/bcast.hpp"

#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/operation.hpp"

namespace regroup {

BcastMachine::BcastMachine(const RangeComm& comm, Kind kind, int tag, void* data, int count,
                           MPI_Datatype type, int root)
    : lane_(comm, kind, tag),
      tree_(comm.rank(), comm.size(), root, tree_width(Way::down, message_bytes(count, type))),
      data_(data),
      count_(count),
      type_(type) {
  if (count_ == 0) {
    sent_on_ = true;
  } else if (tree_.is_root()) {
    send_on();
  } else {
    lane_.receive(data_, count_, type_, tree_.parent());
  }
}

void BcastMachine::send_on() {
  sent_on_ = true;
  // The largest subtree is the last one, and has the longest way to go.
  for (int i = tree_.children() - 1; i >= 0; --i) {
    lane_.send(data_, count_, type_, tree_.child(i));
  }
}

bool BcastMachine::advance() {
  if (!lane_.settled()) return false;
  if (sent_on_) return true;
  send_on();
  return lane_.settled();
}

namespace {

void check(int count, int root, const RangeComm& comm) {
  require_member(comm);
  require_count(count);
  require_rank("the root", root, comm);
}

}  // namespace

void bcast(void* data, int count, MPI_Datatype type, int root, const RangeComm& comm, int tag) {
  check(count, root, comm);
  run<BcastMachine>(comm, Kind::bcast, tag, data, count, type, root);
}

Request ibcast(void* data, int count, MPI_Datatype type, int root, const RangeComm& comm, int tag) {
  check(count, root, comm);
  return start<BcastMachine>(comm, Kind::bcast, tag, data, count, type, root);
}

}  // namespace regroup
