// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "communicators/range/bcast.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/long_bcast.hpp"
#include "communicators/range/long_reduce.hpp"
#include "communicators/range/operation.hpp"
#include "communicators/range/reduce.hpp"

namespace regroup::range {
namespace {

/// Two ranks send each other their data and combine it, both in the order of ranks.
class ExchangeMachine {
 public:
  ExchangeMachine(const Comm& comm, Kind kind, int tag, const void* data, void* result, int count,
                  MPI_Datatype type, MPI_Op op)
      : lane_(comm, kind, tag),
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

/// To rank 0, and from there to all.
template <class Reduce, class Bcast>
class ReduceThenBcast {
 public:
  ReduceThenBcast(const Comm& comm, Kind kind, int tag, const void* data, void* result, int count,
                  MPI_Datatype type, MPI_Op op)
      : comm_(comm),
        kind_(kind),
        tag_(tag),
        result_(result),
        count_(count),
        type_(type),
        reduce_(comm, kind, tag, data, result, result, count, type, op, 0) {}

  void add_pending(std::vector<PendingMessage>& pending) {
    reduce_.add_pending(pending);
    if (bcast_) bcast_->add_pending(pending);
  }

  bool advance() {
    if (!bcast_) {
      if (!reduce_.advance()) return false;
      bcast_.emplace(comm_, kind_, tag_, result_, count_, type_, 0);
    }
    return bcast_->advance();
  }

 private:
  Comm comm_;
  Kind kind_;
  int tag_;
  void* result_;
  int count_;
  MPI_Datatype type_;
  Reduce reduce_;
  std::optional<Bcast> bcast_;
};

using AllreduceMachine = ReduceThenBcast<ReduceMachine, BcastMachine>;
using LongAllreduceMachine = ReduceThenBcast<LongReduceMachine, LongBcastMachine>;

/// Where the data are, MPI_IN_PLACE or not.
const void* check(const void* data, const void* result, int count, MPI_Datatype type, MPI_Op op) {
  require_elements(count, type);
  require_op(op);
  require_buffer(result);
  return data == MPI_IN_PLACE ? result : data;
}

}  // namespace

void allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               const Comm& comm, int tag) {
  data = check(data, result, count, type, op);
  const long long bytes = message_bytes(count, type);
  if (comm.size() == 2 && bytes > 0) {
    return run<ExchangeMachine>(comm, Kind::allreduce, tag, data, result, count, type, op);
  }
  if (is_pipelined(bytes, comm)) {
    return run_in_steps<LongAllreduceMachine>(comm, Kind::allreduce, tag, data, result, count, type,
                                              op);
  }
  run<AllreduceMachine>(comm, Kind::allreduce, tag, data, result, count, type, op);
}

Request iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   const Comm& comm, int tag) {
  data = check(data, result, count, type, op);
  const long long bytes = message_bytes(count, type);
  if (comm.size() == 2 && bytes > 0) {
    return start<ExchangeMachine>(comm, Kind::allreduce, tag, data, result, count, type, op);
  }
  if (is_pipelined(bytes, comm)) {
    return start<LongAllreduceMachine>(comm, Kind::allreduce, tag, data, result, count, type, op);
  }
  return start<AllreduceMachine>(comm, Kind::allreduce, tag, data, result, count, type, op);
}

}  // namespace regroup::range
