// SPDX-License-Identifier: BSD-3-Clause
#include <climits>
#include <memory_resource>
#include <optional>

#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/operation.hpp"
#include "communicators/range/reduce.hpp"
#include "communicators/range/scatter.hpp"

namespace regroup::range {
namespace {

/// The elements of all parts together.
int sum_of(const GatherPlan& plan, int ranks) {
  long long sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += plan.count_of(rank);
  if (sum > INT_MAX) {
    throw std::invalid_argument("range communicator: more elements in all than an int counts");
  }
  return static_cast<int>(sum);
}

/// Reduces to rank 0, which then sends everybody its part.
class ReduceScatterMachine {
 public:
  ReduceScatterMachine(const Comm& comm, Kind kind, int tag, const void* data, GatherPlan plan,
                       MPI_Op op)
      : comm_(comm),
        kind_(kind),
        tag_(tag),
        plan_(plan),
        result_(plan.data),
        own_count_(plan.count_of(comm.rank())),
        lane_(comm, kind, tag),
        sum_(lane_, comm.rank() == 0, count_with_bytes(sum_of(plan, comm.size()), plan.type),
             plan.type),
        counts_(&comm.parent().memory()),
        starts_(&comm.parent().memory()) {
    const int sum = sum_of(plan, comm.size());
    if (count_with_bytes(sum, plan.type) == 0) return;
    if (comm.rank() == 0) {
      // The caller's counts need not last until the sum is there.
      int start = 0;
      for (int rank = 0; rank < comm.size(); ++rank) {
        counts_.push_back(plan.count_of(rank));
        starts_.push_back(start);
        start += counts_.back();
      }
    }
    reduce_.emplace(comm, kind, tag, data, comm.rank() == 0 ? sum_.at(0) : nullptr, nullptr, sum,
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
      scatter_.emplace(comm_, kind_, tag_, parts, result_, own_count_, plan_.type, 0);
    }
    return scatter_->advance();
  }

 private:
  Comm comm_;
  Kind kind_;
  int tag_;
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

/// Where the data are, MPI_IN_PLACE or not.
const void* check(const void* data, const GatherPlan& plan, MPI_Op op, const Comm& comm) {
  require_member(comm);
  require_buffer(plan.data);
  plan.require_counts(comm.size());
  require_op(op);
  return data == MPI_IN_PLACE ? plan.data : data;
}

}  // namespace

void reduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                    MPI_Op op, const Comm& comm, int tag) {
  const GatherPlan plan{result, 0, result_counts, nullptr, type};
  data = check(data, plan, op, comm);
  run<ReduceScatterMachine>(comm, Kind::reduce_scatter, tag, data, plan, op);
}

void reduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                          const Comm& comm, int tag) {
  const GatherPlan plan{result, count, nullptr, nullptr, type};
  data = check(data, plan, op, comm);
  run<ReduceScatterMachine>(comm, Kind::reduce_scatter, tag, data, plan, op);
}

Request ireduce_scatter(const void* data, void* result, const int* result_counts, MPI_Datatype type,
                        MPI_Op op, const Comm& comm, int tag) {
  const GatherPlan plan{result, 0, result_counts, nullptr, type};
  data = check(data, plan, op, comm);
  return start<ReduceScatterMachine>(comm, Kind::reduce_scatter, tag, data, plan, op);
}

Request ireduce_scatter_block(const void* data, void* result, int count, MPI_Datatype type,
                              MPI_Op op, const Comm& comm, int tag) {
  const GatherPlan plan{result, count, nullptr, nullptr, type};
  data = check(data, plan, op, comm);
  return start<ReduceScatterMachine>(comm, Kind::reduce_scatter, tag, data, plan, op);
}

}  // namespace regroup::range
