// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "communicators/range/buffer.hpp"
#include "communicators/range/lane.hpp"
#include "communicators/range/tree.hpp"

namespace regroup::range {

/// Receive from the parent in the tree, send to the children.
class BcastMachine {
 public:
  BcastMachine(const Comm& comm, Kind kind, int tag, void* data, int count, MPI_Datatype type,
               int root)
      : BcastMachine(comm, kind, tag, data, count, type, root, count) {}

  /// In messages of `piece` elements each, which must come to the same bytes on all members.
  BcastMachine(const Comm& comm, Kind kind, int tag, void* data, int count, MPI_Datatype type,
               int root, int piece)
      : BcastMachine(comm, kind, tag, data, count, type, root, piece,
                     tree_width(Way::down, message_bytes(piece, type))) {}

  /// Along a tree of that width.
  BcastMachine(const Comm& comm, Kind kind, int tag, void* data, int count, MPI_Datatype type,
               int root, int piece, int width);

  bool advance();
  bool has_sent() const { return sent_on_; }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  void send_on();
  template <class Transfer>
  void for_each_piece(Transfer transfer) const;

  Lane lane_;
  Tree tree_;
  void* data_;
  int count_;
  MPI_Datatype type_;
  int piece_;
  bool sent_on_ = false;
};

}  // namespace regroup::range
