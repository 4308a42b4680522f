// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/range/reduce.hpp"

#include <climits>
#include <memory_resource>
#include <optional>

#include "communicators/range/pipeline.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

ReduceMachine::ReduceMachine(const Comm& comm, const Label& label, const void* data, void* result,
                             void* spare, int count, MPI_Datatype type, MPI_Op op, int root,
                             int width)
    : lane_(comm, label),
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

/// Checks the arguments and returns the address of the data, also if it is in place.
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

template <class Form>
auto reduce_as(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               const Comm& comm, int tag) {
  data = check(data, result, count, type, op, root, comm);
  void* const no_spare = nullptr;
  if (is_pipelined(message_bytes(count, type), comm)) {
    return Form::template run_in_steps<LongReduceMachine>(comm, Kind::reduce, tag, data, result,
                                                          no_spare, count, type, op, root);
  }
  return Form::template run<ReduceMachine>(comm, Kind::reduce, tag, data, result, no_spare, count,
                                           type, op, root);
}

}  // namespace

void reduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
            const Comm& comm, int tag) {
  reduce_as<Blocking>(data, result, count, type, op, root, comm, tag);
}
Request ireduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                const Comm& comm, int tag) {
  return reduce_as<Nonblocking>(data, result, count, type, op, root, comm, tag);
}

namespace {

/// Two ranks send each other their data and combine it, both in the order of ranks.
class ExchangeMachine {
 public:
  ExchangeMachine(const Comm& comm, const Label& label, const void* data, void* result, int count,
                  MPI_Datatype type, MPI_Op op)
      : lane_(comm, label),
        data_(data),
        result_(result),
        count_(count),
        type_(type),
        op_(op),
        left_(lane_, lane_.rank(), count, type),
        own_(lane_, lane_.rank() == 0 && data == result, count, type) {
    if (lane_.rank() == 0 && data == result) {
      copy_elements(data, count, type, own_.at(0), count, type);
      data_ = own_.at(0);
    }
    const int other = 1 - lane_.rank();
    lane_.receive(lane_.rank() == 0 ? result_ : left_.at(0), count_, type_, other);
    lane_.send(data_, count_, type_, other);
  }

  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

  bool advance() {
    if (!lane_.settled()) return false;
    if (lane_.rank() == 0) {
      combine(data_, result_, count_, type_, op_);
    } else {
      copy_elements(data_, count_, type_, result_, count_, type_);
      combine(left_.at(0), result_, count_, type_, op_);
    }
    return true;
  }

 private:
  Lane lane_;
  const void* data_;
  void* result_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  Buffer left_;
  Buffer own_;
};

/// Reduces to rank 0, which broadcasts the result.
template <class Reduce, class Bcast>
class ReduceThenBcast {
 public:
  ReduceThenBcast(const Comm& comm, const Label& label, const void* data, void* result, int count,
                  MPI_Datatype type, MPI_Op op)
      : comm_(comm),
        label_(label),
        result_(result),
        count_(count),
        type_(type),
        reduce_(comm, label, data, result, result, count, type, op, 0) {}

  void add_pending(std::vector<PendingMessage>& pending) {
    reduce_.add_pending(pending);
    if (bcast_) bcast_->add_pending(pending);
  }

  bool advance() {
    if (!bcast_) {
      if (!reduce_.advance()) return false;
      bcast_.emplace(comm_, label_, result_, count_, type_, 0);
    }
    return bcast_->advance();
  }

 private:
  Comm comm_;
  Label label_;
  void* result_;
  int count_;
  MPI_Datatype type_;
  Reduce reduce_;
  std::optional<Bcast> bcast_;
};

using AllreduceMachine = ReduceThenBcast<ReduceMachine, BcastMachine>;
using LongAllreduceMachine = ReduceThenBcast<LongReduceMachine, LongBcastMachine>;

template <class Form>
auto allreduce_as(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                  const Comm& comm, int tag) {
  data = reduced_data(data, result, count, type, op);
  const long long bytes = message_bytes(count, type);
  const Kind kind = Kind::allreduce;
  if (comm.size() == 2 && bytes > 0) {
    return Form::template run<ExchangeMachine>(comm, kind, tag, data, result, count, type, op);
  }
  if (is_pipelined(bytes, comm)) {
    return Form::template run_in_steps<LongAllreduceMachine>(comm, kind, tag, data, result, count,
                                                             type, op);
  }
  return Form::template run<AllreduceMachine>(comm, kind, tag, data, result, count, type, op);
}

}  // namespace

void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag) {
  allreduce_as<Blocking>(data, result, count, type, op, comm, tag);
}
Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag) {
  return allreduce_as<Nonblocking>(data, result, count, type, op, comm, tag);
}

namespace {

/// Returns the total number of elements of all parts.
int sum_of(const GatherPlan& plan, int ranks) {
  long long sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += plan.count_of(rank);
  if (sum > INT_MAX) {
    throw std::invalid_argument("range communicator: more elements in all than an int counts");
  }
  return static_cast<int>(sum);
}

/// Reduces to rank 0, which then sends each rank its part.
class ReduceScatterMachine {
 public:
  ReduceScatterMachine(const Comm& comm, const Label& label, const void* data, GatherPlan plan,
                       MPI_Op op)
      : comm_(comm),
        label_(label),
        plan_(plan),
        result_(plan.data),
        own_count_(plan.count_of(comm.rank())),
        lane_(comm, label),
        sum_(lane_, comm.rank() == 0, count_with_bytes(sum_of(plan, comm.size()), plan.type),
             plan.type),
        counts_(&comm.parent().memory()),
        starts_(&comm.parent().memory()) {
    const int sum = sum_of(plan, comm.size());
    if (count_with_bytes(sum, plan.type) == 0) return;
    if (comm.rank() == 0) {
      // The caller may free its counts before the reduction is complete.
      int start = 0;
      for (int rank = 0; rank < comm.size(); ++rank) {
        counts_.push_back(plan.count_of(rank));
        starts_.push_back(start);
        start += counts_.back();
      }
    }
    reduce_.emplace(comm, label, data, comm.rank() == 0 ? sum_.at(0) : nullptr, nullptr, sum,
                    plan.type, op, 0);
  }

  void add_pending(std::vector<PendingMessage>& pending) {
    if (scatter_) {
      scatter_->add_pending(pending);
    } else if (reduce_) {
      reduce_->add_pending(pending);
    }
  }

  bool advance() {
    if (!reduce_) return true;
    if (!scatter_) {
      if (!reduce_->advance()) return false;
      const GatherPlan parts{comm_.rank() == 0 ? sum_.at(0) : nullptr, 0, counts_.data(),
                             starts_.data(), plan_.type};
      scatter_.emplace(comm_, label_, parts, result_, own_count_, plan_.type, 0);
    }
    return scatter_->advance();
  }

 private:
  Comm comm_;
  Label label_;
  GatherPlan plan_;
  void* result_;
  int own_count_;
  Lane lane_;
  Buffer sum_;
  std::pmr::vector<int> counts_;
  std::pmr::vector<int> starts_;
  std::optional<ReduceMachine> reduce_;
  std::optional<ScatterMachine> scatter_;
};

template <class Form>
auto reduce_scatter_as(const void* data, const GatherPlan& plan, MPI_Op op, const Comm& comm,
                       int tag) {
  require_member(comm);
  require_buffer(plan.data);
  plan.require_counts(comm.size());
  require_op(op);
  if (data == MPI_IN_PLACE) data = plan.data;
  return Form::template run<ReduceScatterMachine>(comm, Kind::reduce_scatter, tag, data, plan, op);
}

}  // namespace

void reduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                    MPI_Op op, const Comm& comm, int tag) {
  reduce_scatter_as<Blocking>(data, {result, 0, result_counts, nullptr, type}, op, comm, tag);
}
Request ireduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                        MPI_Op op, const Comm& comm, int tag) {
  return reduce_scatter_as<Nonblocking>(data, {result, 0, result_counts, nullptr, type}, op, comm,
                                        tag);
}
void reduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag) {
  reduce_scatter_as<Blocking>(data, {result, count, nullptr, nullptr, type}, op, comm, tag);
}
Request ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type,
                              MPI_Op op, const Comm& comm, int tag) {
  return reduce_scatter_as<Nonblocking>(data, {result, count, nullptr, nullptr, type}, op, comm,
                                        tag);
}

}  // namespace regroup::range
