// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "communicators/range/buffer.hpp"
#include "communicators/range/collectives.hpp"
#include "communicators/range/gather.hpp"
#include "communicators/range/operation.hpp"

namespace regroup::range {
namespace {

/// Everybody sends everybody its part. In place, parts are copied before they are received over.
class AlltoallMachine {
 public:
  AlltoallMachine(const Comm& comm, Kind kind, int tag, GatherPlan from, GatherPlan to)
      : lane_(comm, kind, tag),
        given_(lane_, from.data == MPI_IN_PLACE ? comm.size() : 0, longest(to, comm.size()),
               to.type) {
    const bool in_place = from.data == MPI_IN_PLACE;
    if (in_place) {
      from = to;
      for_each(comm, to, [&](int rank, int part) {
        if (rank == comm.rank()) return;
        copy_elements(to.place_of(rank), part, to.type, given_.at(rank), part, to.type);
      });
    }
    for_each(comm, to, [&](int rank, int part) {
      if (rank != comm.rank()) lane_.receive(to.place_of(rank), part, to.type, rank);
    });
    for_each(comm, from, [&](int rank, int part) {
      if (rank != comm.rank()) {
        lane_.send(in_place ? given_.at(rank) : from.place_of(rank), part, from.type, rank);
      } else if (!in_place) {
        copy_elements(from.place_of(rank), part, from.type, to.place_of(rank), to.count_of(rank),
                      to.type);
      }
    });
  }
  bool advance() { return lane_.settled(); }
  void add_pending(std::vector<PendingMessage>& pending) { lane_.add_pending(pending); }

 private:
  static int longest(const GatherPlan& plan, int ranks) {
    int most = 0;
    for (int rank = 0; rank < ranks; ++rank) most = std::max(most, plan.count_of(rank));
    return count_with_bytes(most, plan.type);
  }
  /// Calls use(rank, count) for each part with bytes, beginning with one's own, so that not
  /// everybody sends to the same rank at the same time.
  template <class Use>
  static void for_each(const Comm& comm, const GatherPlan& plan, Use use) {
    for (int i = 0; i < comm.size(); ++i) {
      const int rank = (comm.rank() + i) % comm.size();
      const int part = count_with_bytes(plan.count_of(rank), plan.type);
      if (part > 0) use(rank, part);
    }
  }

  Lane lane_;
  Buffer given_;
};

void check(const GatherPlan& from, const GatherPlan& to, const Comm& comm) {
  require_member(comm);
  require_buffer(to.data);
  to.require_counts(comm.size());
  if (from.data != MPI_IN_PLACE) from.require_counts(comm.size());
}

}  // namespace

void alltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
              MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan from{const_cast<void*>(data), count, nullptr, nullptr, type};
  const GatherPlan to{result, result_count, nullptr, nullptr, result_type};
  check(from, to, comm);
  run<AlltoallMachine>(comm, Kind::alltoall, tag, from, to);
}

void alltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
               void* result, const int* result_counts, const int* result_displacements,
               MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan from{const_cast<void*>(data), 0, counts, displacements, type};
  const GatherPlan to{result, 0, result_counts, result_displacements, result_type};
  check(from, to, comm);
  run<AlltoallMachine>(comm, Kind::alltoall, tag, from, to);
}

Request ialltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                  MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan from{const_cast<void*>(data), count, nullptr, nullptr, type};
  const GatherPlan to{result, result_count, nullptr, nullptr, result_type};
  check(from, to, comm);
  return start<AlltoallMachine>(comm, Kind::alltoall, tag, from, to);
}

Request ialltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                   void* result, const int* result_counts, const int* result_displacements,
                   MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan from{const_cast<void*>(data), 0, counts, displacements, type};
  const GatherPlan to{result, 0, result_counts, result_displacements, result_type};
  check(from, to, comm);
  return start<AlltoallMachine>(comm, Kind::alltoall, tag, from, to);
}

}  // namespace regroup::range
