// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <utility>
#include <variant>

#include "communicators/handles.hpp"
#include "communicators/range/comm.hpp"
#include "communicators/range/creation.hpp"

namespace regroup {

/// The communicator of a group, as a strategy made it: an MPI communicator that it owns, or a range
/// communicator, which shares its parent's. Move-only; frees what it owns.
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

  /// The ranks of `range`, whose member the caller is. Calls nothing of MPI.
  explicit GroupComm(const range::Comm& range)
      : what_(range), comm_(range.parent().comm()), rank_(range.rank()), size_(range.size()) {}

  /// What icreate_group has created.
  explicit GroupComm(range::GroupCreation created) : GroupComm(created.comm()) {
    what_ = std::move(created);
  }

  GroupComm(GroupComm&& other) noexcept { *this = std::move(other); }
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

  /// What messages to members are sent on, with the rank that member `rank` has there.
  MPI_Comm comm() const { return comm_; }
  int translate(int rank) const {
    const range::Comm* own = as_range();
    return own != nullptr ? own->parent_rank(rank) : rank;
  }

  /// The range communicator that it is, with operations of its own (range/collectives.hpp); nullptr
  /// where it is a communicator of MPI.
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

}  // namespace regroup
