// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/reduce.hpp"

#include "communicators/range/collectives.hpp"
#include "communicators/range/long_reduce.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {

ReduceMachine::ReduceMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result,
                             void* spare, int count, MPI_Datatype type, MPI_Op op, int root,
                             int width)
    : lane_(comm, kind, tag),
      root_(root),
      tree_root_(tree_root(op, root)),
      tree_(comm.rank(), comm.size(), tree_root_, width),
      data_(data),
      result_(result),
      last_part_(tree_.is_root() && root_ == tree_root_ ? result : spare),
      count_(count_with_bytes(count, type)),
      type_(type),
      op_(op),
      parts_(lane_, tree_.children() - (tree_.children() > 0 && last_part_ != nullptr), count_,
             type),
      own_(lane_, comes_in_over_data(), count_, type) {
  if (count_ == 0) {
    combined_ = true;
    return;
  }
  if (comes_in_over_data()) {
    copy_elements(data_, count_, type_, own_.at(0), count_, type_);
    data_ = own_.at(0);
  }
  for (int i = 0; i < tree_.children(); ++i) lane_.receive(part(i), count_, type_, tree_.child(i));
  if (tree_.children() == 0) combine_parts();
}

int ReduceMachine::tree_root(MPI_Op op, int root) { return root != 0 && commutes(op) ? root : 0; }

void* ReduceMachine::part(int child) const {
  return child == tree_.children() - 1 && last_part_ != nullptr ? last_part_ : parts_.at(child);
}

void ReduceMachine::combine_parts() {
  combined_ = true;
  const void* sum = data_;
  if (tree_.children() > 0) {
    void* right = part(tree_.children() - 1);
    for (int i = tree_.children() - 2; i >= 0; --i) combine(part(i), right, count_, type_, op_);
    combine(data_, right, count_, type_, op_);
    sum = right;
  }
  if (!tree_.is_root()) {
    lane_.send(sum, count_, type_, tree_.parent());
    if (lane_.rank() == root_) lane_.receive(result_, count_, type_, tree_root_);
  } else if (root_ != tree_root_) {
    lane_.send(sum, count_, type_, root_);
  } else if (sum != result_) {
    copy_elements(sum, count_, type_, result_, count_, type_);
  }
}

bool ReduceMachine::advance() {
  if (!lane_.settled()) return false;
  if (combined_) return true;
  combine_parts();
  return lane_.settled();
}

namespace {

/// Where the data are, MPI_IN_PLACE or not.
const void* check(const void* data, const void* result, int count, MPI_Datatype type, MPI_Op op,
                  int root, const Comm& comm) {
  require_member(comm);
  require_elements(count, type);
  require_op(op);
  require_rank("the root", root, comm);
  if (comm.rank() != root) {
    require_buffer(data);
    return data;
  }
  require_buffer(result);
  return data == MPI_IN_PLACE ? result : data;
}

}  // namespace

void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag) {
  data = check(data, result, count, type, op, root, comm);
  void* const no_spare = nullptr;
  if (is_pipelined(message_bytes(count, type), comm)) {
    return run_in_steps<LongReduceMachine>(comm, Kind::reduce, tag, data, result, no_spare, count,
                                           type, op, root);
  }
  run<ReduceMachine>(comm, Kind::reduce, tag, data, result, no_spare, count, type, op, root);
}

Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag) {
  data = check(data, result, count, type, op, root, comm);
  void* const no_spare = nullptr;
  if (is_pipelined(message_bytes(count, type), comm)) {
    return start<LongReduceMachine>(comm, Kind::reduce, tag, data, result, no_spare, count, type,
                                    op, root);
  }
  return start<ReduceMachine>(comm, Kind::reduce, tag, data, result, no_spare, count, type, op,
                              root);
}

}  // namespace regroup::range
