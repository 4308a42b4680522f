// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/range/buffer.hpp"
#include "communicators/range/lane.hpp"
#include "communicators/range/tree.hpp"

namespace regroup::range {

/// Receive from the children in the tree, combine, send to the parent.
///
/// The rank's own data, then its children's from left to right, are in the order of ranks. They are
/// combined from the right, each into the memory of its right neighbour, so that nothing is copied:
/// the sum ends up where the last child's part came in, which at the root is the result.
class ReduceMachine {
 public:
  /// `spare`: memory like `result`, which this rank may use on the way; or nullptr. `data` may be
  /// where parts of others come in, and is copied then.
  ReduceMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result, void* spare,
                int count, MPI_Datatype type, MPI_Op op, int root)
      : ReduceMachine(comm, kind, tag, data, result, spare, count, type, op, root,
                      tree_width(Way::up, message_bytes(count, type))) {}

  /// Along a tree of that width.
  ReduceMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result, void* spare,
                int count, MPI_Datatype type, MPI_Op op, int root, int width);

  bool advance();
  bool has_sent() const { return combined_; }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  /// Where the rank's data goes by way of rank 0, to keep the order of ranks.
  static int tree_root(MPI_Op op, int root);

  bool comes_in_over_data() const {
    const bool comes_from_rank_zero = root_ != tree_root_ && lane_.rank() == root_;
    return (tree_.children() > 0 && data_ == last_part_) ||
           (comes_from_rank_zero && data_ == result_);
  }
  void* part(int child) const;
  void combine_parts();

  Lane lane_;
  int root_;
  int tree_root_;
  Tree tree_;
  const void* data_;
  void* result_;
  void* last_part_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  Buffer parts_;
  Buffer own_;
  bool combined_ = false;
};

}  // namespace regroup::range
