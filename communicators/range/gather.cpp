// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <climits>
#include <optional>

#include "communicators/range/lane.hpp"
#include "communicators/range/operation.hpp"
#include "communicators/range/reduce.hpp"
#include "regroup/range.hpp"

namespace regroup::range {

void* GatherPlan::place_of(int rank) const {
  const long long start =
      displacements == nullptr ? static_cast<long long>(rank) * count : displacements[rank];
  return element(data, start, type);
}

void GatherPlan::require_counts(int ranks) const {
  require_elements(count, type);
  for (int rank = 0; rank < ranks; ++rank) require_count(count_of(rank));
}

GatherMachine::GatherMachine(const Comm& comm, const Label& label, const void* data, int count,
                             MPI_Datatype type, GatherPlan plan, int root)
    : lane_(comm, label) {
  if (comm.rank() != root) {
    if (count_with_bytes(count, type) > 0) lane_.send(data, count, type, root);
    return;
  }
  if (message_bytes(1, plan.type) == 0) return;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int part = plan.count_of(rank);
    if (rank != root && part > 0) lane_.receive(plan.place_of(rank), part, plan.type, rank);
  }
  // The own part is copied while the other parts arrive.
  const int own = plan.count_of(root);
  if (own > 0 && data != MPI_IN_PLACE) {
    copy_elements(data, count, type, plan.place_of(root), own, plan.type);
  }
}

namespace {

void check(const void* data, int count, MPI_Datatype type, const void* result, int root,
           const Comm& comm) {
  require_member(comm);
  require_rank("the root", root, comm);
  if (comm.rank() == root) require_buffer(result);
  if (comm.rank() == root && data == MPI_IN_PLACE) return;
  require_buffer(data);
  require_elements(count, type);
}

template <class Form>
auto gather_as(Kind kind, const void* data, int count, MPI_Datatype type, const GatherPlan& plan,
               int root, const Comm& comm, int tag) {
  check(data, count, type, plan.data, root, comm);
  if (comm.rank() == root) plan.require_counts(comm.size());
  return Form::template run<GatherMachine>(comm, kind, tag, data, count, type, plan, root);
}

}  // namespace

void gather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
            MPI_Datatype result_type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{result, result_count, nullptr, nullptr, result_type};
  gather_as<Blocking>(Kind::gather, data, count, type, plan, root, comm, tag);
}
Request igather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                MPI_Datatype result_type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{result, result_count, nullptr, nullptr, result_type};
  return gather_as<Nonblocking>(Kind::gather, data, count, type, plan, root, comm, tag);
}
void gatherv(const void* data, int count, MPI_Datatype type, void* result, const int* result_counts,
             const int* displacements, MPI_Datatype result_type, int root, const Comm& comm,
             int tag) {
  const GatherPlan plan{result, 0, result_counts, displacements, result_type};
  gather_as<Blocking>(Kind::gatherv, data, count, type, plan, root, comm, tag);
}
Request igatherv(const void* data, int count, MPI_Datatype type, void* result,
                 const int* result_counts, const int* displacements, MPI_Datatype result_type,
                 int root, const Comm& comm, int tag) {
  const GatherPlan plan{result, 0, result_counts, displacements, result_type};
  return gather_as<Nonblocking>(Kind::gatherv, data, count, type, plan, root, comm, tag);
}

ScatterMachine::ScatterMachine(const Comm& comm, const Label& label, GatherPlan plan, void* result,
                               int count, MPI_Datatype type, int root)
    : lane_(comm, label) {
  if (comm.rank() != root) {
    if (count_with_bytes(count, type) > 0) lane_.receive(result, count, type, root);
    return;
  }
  for (int rank = 0; rank < comm.size(); ++rank) {
    const int part = count_with_bytes(plan.count_of(rank), plan.type);
    if (part == 0) continue;
    if (rank != root) {
      lane_.send(plan.place_of(rank), part, plan.type, rank);
    } else if (result != MPI_IN_PLACE) {
      copy_elements(plan.place_of(rank), part, plan.type, result, count, type);
    }
  }
}

namespace {

template <class Form>
auto scatter_as(const GatherPlan& plan, void* result, int count, MPI_Datatype type, int root,
                const Comm& comm, int tag) {
  require_member(comm);
  require_rank("the root", root, comm);
  const bool is_root = comm.rank() == root;
  if (is_root) {
    require_buffer(plan.data);
    plan.require_counts(comm.size());
  }
  if (!is_root || result != MPI_IN_PLACE) {
    require_buffer(result);
    require_elements(count, type);
  }
  return Form::template run<ScatterMachine>(comm, Kind::scatter, tag, plan, result, count, type,
                                            root);
}

}  // namespace

void scatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
             MPI_Datatype type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), data_count, nullptr, nullptr, data_type};
  scatter_as<Blocking>(plan, result, count, type, root, comm, tag);
}
Request iscatter(const void* data, int data_count, MPI_Datatype data_type, void* result, int count,
                 MPI_Datatype type, int root, const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), data_count, nullptr, nullptr, data_type};
  return scatter_as<Nonblocking>(plan, result, count, type, root, comm, tag);
}
void scatterv(const void* data, const int* data_counts, const int* displacements,
              MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
              const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), 0, data_counts, displacements, data_type};
  scatter_as<Blocking>(plan, result, count, type, root, comm, tag);
}
Request iscatterv(const void* data, const int* data_counts, const int* displacements,
                  MPI_Datatype data_type, void* result, int count, MPI_Datatype type, int root,
                  const Comm& comm, int tag) {
  const GatherPlan plan{const_cast<void*>(data), 0, data_counts, displacements, data_type};
  return scatter_as<Nonblocking>(plan, result, count, type, root, comm, tag);
}

namespace {

/// An allgather in which each rank sends to all others: for two ranks, for parts of different
/// sizes, and if an int cannot hold the total number of elements.
class AllToAllMachine {
 public:
  AllToAllMachine(const Comm& comm, const Label& label, const void* data, int count,
                  MPI_Datatype type, const GatherPlan& plan)
      : lane_(comm, label) {
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

/// Returns the number of parts of `part` bytes per message of the broadcast: as many as MPI sends
/// eagerly, or all parts if they are long, when copying dominates the cost. The result is equal on
/// all members, because the parts have equal sizes in bytes, whatever their datatypes.
int parts_per_message(long long part, int parts) {
  constexpr long long sent_at_once = Lane::sent_at_once;
  constexpr long long all_is_long = 16 * sent_at_once;
  if (part == 0 || part > sent_at_once || part * parts > all_is_long) return parts;
  return static_cast<int>(std::min<long long>(parts, sent_at_once / part));
}

class AllgatherMachine {
 public:
  AllgatherMachine(const Comm& comm, const Label& label, const void* data, int count,
                   MPI_Datatype type, GatherPlan plan)
      : comm_(comm), label_(label), plan_(plan) {
    if (count_with_bytes(plan.count, plan.type) == 0) return;
    if (comm.size() == 2 || plan.count > INT_MAX / comm.size()) {
      exchange_.emplace(comm, label, data, count, type, plan);
    } else {
      gather_.emplace(comm, label, data, count, type, plan, 0);
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
      bcast_.emplace(comm_, label_, plan_.data, plan_.count * comm_.size(), plan_.type, 0,
                     plan_.count * parts);
    }
    return bcast_->advance();
  }

 private:
  Comm comm_;
  Label label_;
  GatherPlan plan_;
  std::optional<AllToAllMachine> exchange_;
  std::optional<GatherMachine> gather_;
  std::optional<BcastMachine> bcast_;
};

template <class Form, class Machine>
auto allgather_as(Kind kind, const void* data, int count, MPI_Datatype type, const GatherPlan& plan,
                  const Comm& comm, int tag) {
  require_member(comm);
  require_buffer(plan.data);
  plan.require_counts(comm.size());
  if (data == MPI_IN_PLACE) {
    data = plan.place_of(comm.rank());
    count = plan.count_of(comm.rank());
    type = plan.type;
  }
  require_elements(count, type);
  return Form::template run<Machine>(comm, kind, tag, data, count, type, plan);
}

}  // namespace

void allgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
               MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan plan{result, result_count, nullptr, nullptr, result_type};
  allgather_as<Blocking, AllgatherMachine>(Kind::allgather, data, count, type, plan, comm, tag);
}
Request iallgather(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                   MPI_Datatype result_type, const Comm& comm, int tag) {
  const GatherPlan plan{result, result_count, nullptr, nullptr, result_type};
  return allgather_as<Nonblocking, AllgatherMachine>(Kind::allgather, data, count, type, plan, comm,
                                                     tag);
}
void allgatherv(const void* data, int count, MPI_Datatype type, void* result,
                const int* result_counts, const int* displacements, MPI_Datatype result_type,
                const Comm& comm, int tag) {
  const GatherPlan plan{result, 0, result_counts, displacements, result_type};
  allgather_as<Blocking, AllToAllMachine>(Kind::allgatherv, data, count, type, plan, comm, tag);
}
Request iallgatherv(const void* data, int count, MPI_Datatype type, void* result,
                    const int* result_counts, const int* displacements, MPI_Datatype result_type,
                    const Comm& comm, int tag) {
  const GatherPlan plan{result, 0, result_counts, displacements, result_type};
  return allgather_as<Nonblocking, AllToAllMachine>(Kind::allgatherv, data, count, type, plan, comm,
                                                    tag);
}

namespace {

/// Each rank sends each other rank its part. In place, parts are copied before being overwritten.
class AlltoallMachine {
 public:
  AlltoallMachine(const Comm& comm, const Label& label, GatherPlan from, GatherPlan to)
      : lane_(comm, label),
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
  /// Calls use(rank, count) for each nonempty part, beginning with the caller's own, so that not
  /// all ranks send to the same rank at the same time.
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

template <class Form>
auto alltoall_as(const GatherPlan& from, const GatherPlan& to, const Comm& comm, int tag) {
  require_member(comm);
  require_buffer(to.data);
  to.require_counts(comm.size());
  if (from.data != MPI_IN_PLACE) from.require_counts(comm.size());
  return Form::template run<AlltoallMachine>(comm, Kind::alltoall, tag, from, to);
}

}  // namespace

void alltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
              MPI_Datatype result_type, const Comm& comm, int tag) {
  alltoall_as<Blocking>({const_cast<void*>(data), count, nullptr, nullptr, type},
                        {result, result_count, nullptr, nullptr, result_type}, comm, tag);
}
Request ialltoall(const void* data, int count, MPI_Datatype type, void* result, int result_count,
                  MPI_Datatype result_type, const Comm& comm, int tag) {
  return alltoall_as<Nonblocking>({const_cast<void*>(data), count, nullptr, nullptr, type},
                                  {result, result_count, nullptr, nullptr, result_type}, comm, tag);
}
void alltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
               void* result, const int* result_counts, const int* result_displacements,
               MPI_Datatype result_type, const Comm& comm, int tag) {
  alltoall_as<Blocking>({const_cast<void*>(data), 0, counts, displacements, type},
                        {result, 0, result_counts, result_displacements, result_type}, comm, tag);
}
Request ialltoallv(const void* data, const int* counts, const int* displacements, MPI_Datatype type,
                   void* result, const int* result_counts, const int* result_displacements,
                   MPI_Datatype result_type, const Comm& comm, int tag) {
  return alltoall_as<Nonblocking>({const_cast<void*>(data), 0, counts, displacements, type},
                                  {result, 0, result_counts, result_displacements, result_type},
                                  comm, tag);
}

}  // namespace regroup::range
