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
  /// `spare`: memory like `result`, which this rank may use on the way; or nullptr.
  ReduceMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result, void* spare,
                int count, MPI_Datatype type, MPI_Op op, int root);
  bool advance();
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  /// Where the rank's data goes by way of rank 0, to keep the order of ranks.
  static int tree_root(MPI_Op op, int root);

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
  bool combined_ = false;
};

}  // namespace regroup::range
