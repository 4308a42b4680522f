// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <climits>
#include <exception>
#include <new>
#include <utility>
#include <vector>

#include "regroup/range.hpp"

namespace regroup::range {

/// A k-nomial tree over the ranks 0 … size - 1, rotated so that `root` is its root. If `root` is 0,
/// every subtree is a range of ranks, and the children of a rank ascend: data combined along the
/// tree are combined in the order of ranks.
///
/// In base k, relative to the root, the parent of a rank is the rank with the lowest nonzero digit
/// set to 0. k = `halving` selects a binary tree, in which a rank has up to two children: the next
/// rank, and the rank in the middle of the rest of its subtree.
class Tree {
 public:
  static constexpr int halving = 1;

  Tree(int rank, int size, int root, int k);

  bool is_root() const { return turned_ == 0; }
  int parent() const { return turn_back(parent_); }
  int children() const { return children_; }
  int child(int i) const { return turn_back(turned_child(i)); }

  /// If the root is 0: one past the last rank of the subtree of the i-th child, or of this rank.
  int child_end(int i) const;
  int end() const { return end_; }

 private:
  void descend();
  int turned_child(int i) const;
  int turn_back(int turned) const {
    const int rank = turned + root_;
    return rank < size_ ? rank : rank - size_;
  }

  int size_;
  int root_;
  int k_;
  int turned_;
  int parent_ = 0;
  int children_ = 0;
  int middle_ = 0;  // second child, if k is `halving`
  int end_ = 0;
};

/// Direction of the messages of a collective in a tree.
enum class Way { down, up };

/// Returns the k that collectives use for messages of `bytes` bytes: large if latency dominates the
/// cost (and, with more ranks than cores, waking up the receiver), small if copying dominates. All
/// members pass the same `bytes`, so they get the same k.
int tree_width(Way way, long long bytes);

/// Kinds of operations. Messages of operations of different kinds have different tags.
enum class Kind {
  users_own,  ///< messages of the user on the parent communicator itself
  bcast,
  reduce,
  allreduce,
  scan,
  exscan,
  gather,
  gatherv,
  allgather,
  allgatherv,
  barrier,
  numbered,  ///< any collective in call order, and creations
  scatter,
  alltoall,
  reduce_scatter,
  point_to_point  ///< last, since it has all remaining tags of a channel
};

/// Identifies the messages of one operation: by their MPI tag and, if the operation is numbered in
/// call order (see numbered.hpp), also by its name, which every message contains.
struct Label {
  int tag = 0;
  std::uint64_t name = 0;  ///< 0: not numbered

  bool is_numbered() const { return name != 0; }
};

constexpr int tags_of_channel = 1 << (Parent::kind_bits + Parent::tag_bits);
constexpr int first_message_tag = static_cast<int>(Kind::point_to_point) << Parent::tag_bits;

/// Returns the MPI tag of a message: from the highest bit, its channel, kind and user's tag.
inline int wire_tag(const Comm& comm, Kind kind, int tag) {
  return static_cast<int>(comm.channel() << (Parent::kind_bits + Parent::tag_bits)) |
         ((static_cast<int>(kind) << Parent::tag_bits) + tag);
}

/// The number of tags of numbered operations: enough that simultaneous ones seldom share a tag.
constexpr int numbered_tags = 1 << (Parent::tag_bits - 1);
inline Label numbered_label(const Comm& comm, std::uint64_t name) {
  if (name == 0) name = 1;
  return {wire_tag(comm, Kind::numbered, static_cast<int>(name % numbered_tags)), name};
}

/// These checks throw std::invalid_argument if MPI would call an error handler or match wrongly.
inline void require_member(const Comm& comm) {
  if (!comm || comm.rank() < 0) [[unlikely]] {
    throw std::invalid_argument("range communicator: the caller is not a member of it");
  }
}
inline void require_rank(const char* what, int rank, const Comm& comm) {
  require_within(what, rank, 0, comm.size() - 1);
}
inline void require_count(int count) {
  if (count < 0) [[unlikely]]
    throw_out_of_bounds("the count", count, 0, INT_MAX);
}
inline void require_buffer(const void* data) {
  if (data == MPI_IN_PLACE) [[unlikely]] {
    throw std::invalid_argument("range communicator: MPI_IN_PLACE has no meaning here");
  }
}

/// Without this check, MPI would call the error handler of a communicator other than the parent.
inline void require_type(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) [[unlikely]] {
    throw std::invalid_argument("range communicator: there is no datatype");
  }
}
inline void require_op(MPI_Op op) {
  if (op == MPI_OP_NULL) [[unlikely]] {
    throw std::invalid_argument("range communicator: there is no operation");
  }
}
inline void require_elements(int count, MPI_Datatype type) {
  require_count(count);
  require_type(type);
}
inline void require_tag(int tag) { require_within("the tag", tag, 0, Parent::max_tag); }
inline void require_message_tag(int tag, const Comm& comm) {
  require_within("the tag", tag, 0, comm.parent().max_message_tag());
}

/// A communication in progress, which its Parent advances.
class Operation {
 public:
  /// Throws std::logic_error if the overlap check finds a conflict with another operation.
  Operation(const Comm& comm, const Label& label) : comm_(comm), label_(label) {
    comm_.parent().enter(*this);
  }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() {
    if (!done_) comm_.parent().leave(*this);
  }

  Parent& parent() const { return comm_.parent(); }
  bool done() const { return done_; }

  /// Makes progress without waiting. Returns true once the operation is complete or has failed.
  bool advance() noexcept {
    try {
      done_ = error_ != nullptr || step();
    } catch (...) {
      error_ = std::current_exception();
      done_ = true;
    }
    return done_;
  }

  /// Stores `error`: the next `advance` completes the operation, and a wait for it throws `error`.
  void fail(std::exception_ptr error) { error_ = std::move(error); }

  /// Returns the error of this operation and clears it.
  std::exception_ptr error() { return std::exchange(error_, nullptr); }
  void rethrow_error() {
    if (error_ != nullptr) [[unlikely]]
      std::rethrow_exception(error());
  }

  /// Sets `status`; for a complete receive, with ranks of the communicator and the user's tags.
  virtual void tell(MPI_Status& status) const { set_empty(status); }

  /// Adds its pending messages. Returns false if the operation also waits for something else.
  virtual bool add_pending(std::vector<PendingMessage>& pending) = 0;

  bool may_be_mistaken_for(const Operation& other) const {
    if (label_.tag != other.label_.tag || label_.name != other.label_.name) return false;
    return label_.is_numbered() ||
           (label_.tag % tags_of_channel < first_message_tag && overlap_in_two(comm_, other.comm_));
  }

 protected:
  virtual bool step() = 0;
  const Comm& comm() const { return comm_; }

 private:
  Comm comm_;
  Label label_;
  bool done_ = false;
  std::exception_ptr error_;
};

/// An operation that runs a state machine: a class with `bool advance()`, which returns true once
/// complete, and `void add_pending(…)`, which adds the pending messages.
template <class Machine>
class MachineOperation final : public Operation {
 public:
  template <class... Arguments>
  MachineOperation(const Comm& comm, const Label& label, Arguments... arguments)
      : Operation(comm, label), machine_(comm, label, arguments...) {}

 private:
  bool step() override { return machine_.advance(); }
  bool add_pending(std::vector<PendingMessage>& pending) override {
    machine_.add_pending(pending);
    return true;
  }

  Machine machine_;
};

/// Starts an operation that is allocated in the Parent's memory.
template <class SomeOperation, class... Arguments>
Request start_operation(const Comm& comm, Arguments... arguments) {
  std::pmr::memory_resource& memory = comm.parent().memory();
  void* place = memory.allocate(sizeof(SomeOperation));
  try {
    return Request(new (place) SomeOperation(comm, arguments...), sizeof(SomeOperation));
  } catch (...) {
    memory.deallocate(place, sizeof(SomeOperation));
    throw;
  }
}

inline void require_collective(const Comm& comm, int tag) {
  require_member(comm);
  require_tag(tag);
}

template <class Machine, class... Arguments>
Request start_machine(const Comm& comm, const Label& label, Arguments... arguments) {
  return start_operation<MachineOperation<Machine>>(comm, label, arguments...);
}

/// Checks the tag and returns its label; for in_call_order, returns the next numbered label.
inline Label checked_label(const Comm& comm, Kind kind, int tag) {
  if (tag != in_call_order) {
    require_collective(comm, tag);
    return {wire_tag(comm, kind, tag)};
  }
  require_member(comm);
  return numbered_label(comm, comm.parent().creations().next_collective(comm.context()));
}

/// Starts the nonblocking form of a collective.
template <class Machine, class... Arguments>
Request start(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  return start_machine<Machine>(comm, checked_label(comm, kind, tag), arguments...);
}

/// Runs the blocking form of a collective: advances a state machine on the stack, along with all
/// other operations in progress, until it is complete.
template <class Machine, class... Arguments>
void run_in_steps(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  const Label label = checked_label(comm, kind, tag);
  MachineOperation<Machine> operation(comm, label, arguments...);
  comm.parent().wait_until([&] { return operation.done(); });
  operation.rethrow_error();
}

/// Like run_in_steps, but if no other operation is in progress, the machine's lanes wait inside
/// MPI, which saves a third of the time of a short collective of two ranks. For machines with
/// sequential steps.
template <class Machine, class... Arguments>
void run(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
  require_member(comm);
  Parent& parent = comm.parent();
  if (!parent.may_run_alone() || tag == in_call_order) {
    return run_in_steps<Machine>(comm, kind, tag, arguments...);
  }
  const Label label = checked_label(comm, kind, tag);
  parent.run_alone([&] {
    Machine machine(comm, label, arguments...);
    while (!machine.advance()) {
    }
  });
}

/// The two forms of a collective: Nonblocking starts it, Blocking runs it to its end. Machines with
/// sequential steps use `run`, and machines with concurrent steps use `run_in_steps`.
struct Nonblocking {
  template <class Machine, class... Arguments>
  static Request run(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
    return start<Machine>(comm, kind, tag, arguments...);
  }
  template <class Machine, class... Arguments>
  static Request run_in_steps(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
    return start<Machine>(comm, kind, tag, arguments...);
  }
};
struct Blocking {
  template <class Machine, class... Arguments>
  static void run(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
    range::run<Machine>(comm, kind, tag, arguments...);
  }
  template <class Machine, class... Arguments>
  static void run_in_steps(const Comm& comm, Kind kind, int tag, Arguments... arguments) {
    range::run_in_steps<Machine>(comm, kind, tag, arguments...);
  }
};

/// Checks the arguments of a reduction and returns the address of its data, also if it is in place.
inline const void* reduced_data(const void* data, const void* result, int count, MPI_Datatype type,
                                MPI_Op op) {
  require_elements(count, type);
  require_op(op);
  require_buffer(result);
  return data == MPI_IN_PLACE ? result : data;
}

}  // namespace regroup::range
