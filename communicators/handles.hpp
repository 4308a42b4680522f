// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <algorithm>
#include <utility>

namespace regroup {

/// How many communicators one process has made and not yet freed. One object per process and run;
/// not a global, because several ranks may share one address space.
struct CommunicatorCount {
  int alive = 0;
  int alive_max = 0;
};

/// Owns one communicator: frees it, and counts it while it lives. A plain MPI_Comm is borrowed.
/// What a library on top of MPI has made is freed by a function of its own, called as MPI_Comm_free
/// is.
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

  /// Gives it to the caller, and counts it no more.
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

}  // namespace regroup
