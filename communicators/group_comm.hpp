// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <optional>
#include <utility>

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
  explicit GroupComm(CommHandle owned) : owned_(std::move(owned)), comm_(owned_.get()) {
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  /// The ranks of `range`, whose member the caller is. Calls nothing of MPI.
  explicit GroupComm(const RangeComm& range)
      : range_(range), comm_(range.parent().comm()), rank_(range.rank()), size_(range.size()) {}

  /// What icreate_group has created.
  explicit GroupComm(GroupCreation created) : GroupComm(created.comm()) {
    created_.emplace(std::move(created));
  }

  GroupComm(GroupComm&& other) noexcept
      : owned_(std::move(other.owned_)),
        created_(std::move(other.created_)),
        range_(std::exchange(other.range_, {})),
        comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        rank_(other.rank_),
        size_(other.size_) {}
  GroupComm& operator=(GroupComm&& other) noexcept {
    owned_ = std::move(other.owned_);
    created_ = std::move(other.created_);
    range_ = std::exchange(other.range_, {});
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
  int translate(int rank) const { return range_ ? range_.parent_rank(rank) : rank; }

  /// The range communicator that it is, with operations of its own (range/collectives.hpp); empty
  /// where it is a communicator of MPI.
  const RangeComm& range() const { return range_; }

 private:
  CommHandle owned_;
  std::optional<GroupCreation> created_;
  RangeComm range_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace regroup
