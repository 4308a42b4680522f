// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/lane.hpp"
#include "communicators/range/tree.hpp"

namespace regroup {

/// Receive from the parent in the tree, send to the children.
class BcastMachine {
 public:
  BcastMachine(const RangeComm& comm, Kind kind, int tag, void* data, int count, MPI_Datatype type,
               int root);
  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  void send_on();

  Lane lane_;
  Tree tree_;
  void* data_;
  int count_;
  MPI_Datatype type_;
  bool sent_on_ = false;
};

}  // namespace regroup
