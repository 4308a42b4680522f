// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of a communicator strategy: `Site`, `GroupComm`, `CommHandle` and `group_of`.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "regroup/groups.hpp"
#include "regroup/range.hpp"
#include "regroup/strategy.hpp"

namespace regroup {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

/// Whether all processes of `comm` pass the same `number`. Collective.
inline bool same_on_all(std::uint64_t number, MPI_Comm comm) {
  std::uint64_t least[]{number, ~number};  // the complement is least if the number is largest
  MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_UINT64_T, MPI_MIN, comm);
  return least[0] == ~least[1];
}

/// Counts communicators that a process has created and not freed. One object per process and run,
/// because several ranks may share an address space.
struct CommunicatorCount {
  int alive = 0;
  int alive_max = 0;
};

/// Owns one communicator: counts it, and frees it with `free`. A plain MPI_Comm is borrowed.
class CommHandle {
 public:
  CommHandle() = default;
  CommHandle(MPI_Comm comm, CommunicatorCount& count, int (*free)(MPI_Comm*) = MPI_Comm_free)
      : comm_(comm), count_(&count), free_(free) {
    if (comm_ == MPI_COMM_NULL) return;
    ++count_->alive;
    count_->alive_max = std::max(count_->alive_max, count_->alive);
  }
  CommHandle(CommHandle&& other) noexcept
      : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        count_(other.count_),
        free_(other.free_) {}
  CommHandle& operator=(CommHandle&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(count_, other.count_);
    std::swap(free_, other.free_);
    other.reset();
    return *this;
  }
  ~CommHandle() { reset(); }

  MPI_Comm get() const { return comm_; }
  explicit operator bool() const { return comm_ != MPI_COMM_NULL; }

  /// Passes ownership to the caller; the communicator is no longer counted.
  MPI_Comm release() {
    if (comm_ != MPI_COMM_NULL) count_->alive -= 1;
    return std::exchange(comm_, MPI_COMM_NULL);
  }

  void reset() {
    if (comm_ == MPI_COMM_NULL) return;
    free_(&comm_);
    --count_->alive;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  CommunicatorCount* count_ = nullptr;
  int (*free_)(MPI_Comm*) = MPI_Comm_free;
};

/// Owns one group of processes.
class GroupHandle {
 public:
  explicit GroupHandle(MPI_Group group) : group_(group) {}
  GroupHandle(const GroupHandle&) = delete;
  GroupHandle& operator=(const GroupHandle&) = delete;
  ~GroupHandle() {
    if (group_ != MPI_GROUP_NULL && group_ != MPI_GROUP_EMPTY) MPI_Group_free(&group_);
  }
  MPI_Group get() const { return group_; }

 private:
  MPI_Group group_;
};

/// The communicator of a group: an MPI communicator that it owns, or a range communicator, which
/// uses the MPI communicator of its parent. Move-only.
class GroupComm {
 public:
  GroupComm() = default;

  /// All ranks of `owned`; empty for MPI_COMM_NULL.
  explicit GroupComm(CommHandle owned) : comm_(owned.get()) {
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    what_ = std::move(owned);
  }

  /// The range communicator of `range`, which contains the caller. Calls no MPI function.
  explicit GroupComm(const range::Comm& range)
      : what_(range), comm_(range.parent().comm()), rank_(range.rank()), size_(range.size()) {}

  /// The result of icreate_group.
  explicit GroupComm(range::GroupCreation created) : GroupComm(created.comm()) {
    what_ = std::move(created);
  }

  GroupComm(GroupComm&& other) noexcept
      : what_(std::exchange(other.what_, std::monostate{})),
        comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        rank_(other.rank_),
        size_(other.size_) {}
  GroupComm& operator=(GroupComm&& other) noexcept {
    what_ = std::exchange(other.what_, std::monostate{});
    comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
    rank_ = other.rank_;
    size_ = other.size_;
    return *this;
  }

  explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The communicator for messages to members, and the rank of member `rank` in it.
  MPI_Comm comm() const { return comm_; }
  int translate(int rank) const {
    const range::Comm* own = as_range();
    return own != nullptr ? own->parent_rank(rank) : rank;
  }

  /// The range communicator; nullptr for an MPI communicator.
  const range::Comm* as_range() const {
    if (const auto* created = std::get_if<range::GroupCreation>(&what_)) return &created->comm();
    return std::get_if<range::Comm>(&what_);
  }

 private:
  std::variant<std::monostate, CommHandle, range::Comm, range::GroupCreation> what_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

class Session;

/// A parent communicator, with the state of strategies between calls. One per process and MPI
/// communicator, like range::Parent.
class Site : public range::Parent {
 public:
  using Parent::Parent;

  /// The MPI communicators that strategies have created from this parent.
  CommunicatorCount& communicators() { return communicators_; }

  std::shared_ptr<Session>& session() { return session_; }

 private:
  CommunicatorCount communicators_;
  std::shared_ptr<Session> session_;
};

/// The function of `strategy`. Throws std::invalid_argument if the MPI library lacks it.
MakeCommunicator maker(const Strategy& strategy);

/// The group of `members`, which are ranks of `all`.
GroupHandle subgroup(MPI_Group all, const Members& members);

/// The group of `members`, which are ranks of `comm`.
GroupHandle group_of(MPI_Comm comm, const Members& members);

}  // namespace regroup
