// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <climits>
#include <optional>

#include "communicators/range/bcast.hpp"
#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/gather.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {
namespace {

/// Everybody sends to everybody. For two ranks, for parts that differ, and for more elements in all
/// than an int counts.
class ExchangeMachine {
 public:
  ExchangeMachine(const Comm& comm, Kind kind, int tag, const void* data, int count,
                  MPI_Datatype type, const GatherPlan& plan)
      : lane_(comm, kind, tag) {
    for (int rank = 0; rank < comm.size(); ++rank) {
      const int part = count_with_bytes(plan.count_of(rank), plan.type);
      if (rank != comm.rank() && part > 0) {
        lane_.receive(plan.place_of(rank), part, plan.type, rank);
      }
    }
    if (count_with_bytes(count, type) == 0) return;
    for (int i = 1; i < comm.size(); ++i) {
      lane_.send(data, count, type, (comm.rank() + i) % comm.size());
    }
    copy_elements(data, count, type, plan.place_of(comm.rank()), plan.count_of(comm.rank()),
                  plan.type);
  }
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  Lane lane_;
};

/// How many parts of `part` bytes a message of the broadcast holds: what is sent at once. Where all
/// is long, copying is what costs, and it goes in one message. The same on all members, since parts
/// are, whatever their datatypes.
int parts_per_message(long long part, int parts) {
  constexpr long long sent_at_once = Lane::sent_at_once;
  constexpr long long all_is_long = 16 * sent_at_once;
  if (part == 0 || part > sent_at_once || part * parts > all_is_long) return parts;
  return static_cast<int>(std::min<long long>(parts, sent_at_once / part));
}

class AllgatherMachine {
 public:
  AllgatherMachine(const Comm& comm, Kind kind, int tag, const void* data, int count,
                   MPI_Datatype type, GatherPlan plan)
      : comm_(comm), kind_(kind), tag_(tag), plan_(plan) {
    if (count_with_bytes(plan.count, plan.type) == 0) return;
    if (comm.size() == 2 || plan.count > INT_MAX / comm.size()) {
      exchange_.emplace(comm, kind, tag, data, count, type, plan);
    } else {
      gather_.emplace(comm, kind, tag, data, count, type, plan, 0);
    }
  }

  void add_pending(std::vector<PendingMessage>& pending) {
    if (exchange_) exchange_->add_pending(pending);
    if (gather_) gather_->add_pending(pending);
    if (bcast_) bcast_->add_pending(pending);
  }

  bool advance() {
    if (exchange_) return exchange_->advance();
    if (!gather_) return true;
    if (!bcast_) {
      if (!gather_->advance()) return false;
      const int parts = parts_per_message(message_bytes(plan_.count, plan_.type), comm_.size());
      bcast_.emplace(comm_, kind_, tag_, plan_.data, plan_.count * comm_.size(), plan_.type, 0,
                     plan_.count * parts);
    }
    return bcast_->advance();
  }

 private:
  Comm comm_;
  Kind kind_;
  int tag_;
  GatherPlan plan_;
  std::optional<ExchangeMachine> exchange_;
  std::optional<GatherMachine> gather_;
  std::optional<BcastMachine> bcast_;
};

/// What the caller gives and gets.
struct Parts {
  Parts(const void* from, int from_count, MPI_Datatype from_type, const GatherPlan& to,
        const Comm& comm)
      : data(from), count(from_count), type(from_type), plan(to) {
    require_member(comm);
    require_buffer(plan.data);
    plan.require_counts(comm.size());
    if (data == MPI_IN_PLACE) {
      data = plan.place_of(comm.rank());
      count = plan.count_of(comm.rank());
      type = plan.type;
    }
    require_elements(count, type);
  }

  const void* data;
  int count;
  MPI_Datatype type;
  GatherPlan plan;
};

}  // namespace

void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag) {
  const Parts parts(data, count, type, {result, result_count, nullptr, nullptr, result_type}, comm);
  run<AllgatherMachine>(comm, Kind::allgather, tag, parts.data, parts.count, parts.type,
                        parts.plan);
}

Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag) {
  const Parts parts(data, count, type, {result, result_count, nullptr, nullptr, result_type}, comm);
  return start<AllgatherMachine>(comm, Kind::allgather, tag, parts.data, parts.count, parts.type,
                                 parts.plan);
}

void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag) {
  const Parts parts(data, count, type, {result, 0, result_counts, displacements, result_type},
                    comm);
  run<ExchangeMachine>(comm, Kind::allgatherv, tag, parts.data, parts.count, parts.type,
                       parts.plan);
}

Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag) {
  const Parts parts(data, count, type, {result, 0, result_counts, displacements, result_type},
                    comm);
  return start<ExchangeMachine>(comm, Kind::allgatherv, tag, parts.data, parts.count, parts.type,
                                parts.plan);
}

}  // namespace regroup::range
