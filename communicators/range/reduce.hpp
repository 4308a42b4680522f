// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {

/// Receives from the parent in the tree, then sends to the children.
class BcastMachine {
 public:
  BcastMachine(const Comm& comm, const Label& label, void* data, int count, MPI_Datatype type,
               int root)
      : BcastMachine(comm, label, data, count, type, root, count) {}

  /// Sends messages of `piece` elements each, which must have the same size on all members.
  BcastMachine(const Comm& comm, const Label& label, void* data, int count, MPI_Datatype type,
               int root, int piece)
      : BcastMachine(comm, label, data, count, type, root, piece,
                     tree_width(Way::down, message_bytes(piece, type))) {}

  /// Uses a tree of the given width.
  BcastMachine(const Comm& comm, const Label& label, void* data, int count, MPI_Datatype type,
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

/// Positions of the parts of all ranks in a buffer: part r has `counts[r]` (or `count`) elements
/// and begins `displacements[r]` (or r · count) elements after `data`.
struct GatherPlan {
  void* data;
  int count;
  const int* counts;
  const int* displacements;
  MPI_Datatype type;

  int count_of(int rank) const { return counts == nullptr ? count : counts[rank]; }
  void* place_of(int rank) const;
  void require_counts(int ranks) const;
};

/// All ranks send to the root, which receives each part at its final position.
class GatherMachine {
 public:
  GatherMachine(const Comm& comm, const Label& label, const void* data, int count,
                MPI_Datatype type, GatherPlan plan, int root);
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  Lane lane_;
};

/// Receives from the children in the tree, combines the data, and sends the sum to the parent.
///
/// The rank's own data, then its children's from left to right, are in the order of ranks. They are
/// combined from the right, each into the memory of its right neighbour, so that nothing is copied:
/// the sum ends up in the buffer of the last child's part, which at the root is the result.
class ReduceMachine {
 public:
  /// `spare`: memory like `result` that this rank may overwrite, or nullptr. `data` may be equal to
  /// `result` or `spare`; it is copied if a part of another rank is received there.
  ReduceMachine(const Comm& comm, const Label& label, const void* data, void* result, void* spare,
                int count, MPI_Datatype type, MPI_Op op, int root)
      : ReduceMachine(comm, label, data, result, spare, count, type, op, root,
                      tree_width(Way::up, message_bytes(count, type))) {}

  /// Uses a tree of the given width.
  ReduceMachine(const Comm& comm, const Label& label, const void* data, void* result, void* spare,
                int count, MPI_Datatype type, MPI_Op op, int root, int width);

  bool advance();
  bool has_sent() const { return combined_; }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  /// Returns `root` or, to keep the order of ranks if `op` does not commute, rank 0.
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

/// The root sends each rank its part, directly from its buffer.
class ScatterMachine {
 public:
  ScatterMachine(const Comm& comm, const Label& label, GatherPlan plan, void* result, int count,
                 MPI_Datatype type, int root);
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  Lane lane_;
};

}  // namespace regroup::range
