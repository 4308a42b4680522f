// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <utility>

#include "communicators/handles.hpp"

namespace regroup {

/// The communicator of one walker group: consecutive ranks of a communicator that it owns or, where
/// the strategy forms none, borrows.
class GroupComm {
 public:
  GroupComm() = default;

  /// All ranks of `owned`; empty for MPI_COMM_NULL.
  explicit GroupComm(CommHandle owned) : owned_(std::move(owned)), comm_(owned_.get()) {
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  /// The ranks `first` … `first + size - 1` of `comm`, which is borrowed; the caller is one of
  /// them.
  GroupComm(MPI_Comm comm, int first, int size) : comm_(comm), first_(first), size_(size) {
    MPI_Comm_rank(comm_, &rank_);
    rank_ -= first_;
  }

  GroupComm(GroupComm&& other) noexcept
      : owned_(std::move(other.owned_)),
        comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        first_(other.first_),
        rank_(other.rank_),
        size_(other.size_) {}
  GroupComm& operator=(GroupComm&& other) noexcept {
    owned_ = std::move(other.owned_);
    comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
    first_ = other.first_;
    rank_ = other.rank_;
    size_ = other.size_;
    return *this;
  }

  explicit operator bool() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The rank in `comm()` of member `rank`.
  int translate(int rank) const { return first_ + rank; }

 private:
  CommHandle owned_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int first_ = 0;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace regroup
