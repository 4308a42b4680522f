// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <memory>
#include <utility>
#include <variant>

#include "regroup/communicator.hpp"
#include "regroup/range.hpp"

namespace regroup::sorting {

/// The elements' datatype: so many bytes.
class ElementType {
 public:
  explicit ElementType(int bytes) {
    MPI_Type_contiguous(bytes, MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ElementType(const ElementType&) = delete;
  ElementType& operator=(const ElementType&) = delete;
  ~ElementType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// An operation under way, of a range communicator or of MPI; none to begin with. Its buffers
/// belong to it until test() has answered true.
class Pending {
 public:
  Pending() = default;
  explicit Pending(range::Request request) : ours_(std::move(request)) {}
  explicit Pending(MPI_Request request) : mpis_(request) {}
  Pending(Pending&& other) noexcept
      : ours_(std::move(other.ours_)), mpis_(std::exchange(other.mpis_, MPI_REQUEST_NULL)) {}
  Pending& operator=(Pending&& other) noexcept {
    ours_ = std::move(other.ours_);
    mpis_ = std::exchange(other.mpis_, MPI_REQUEST_NULL);
    return *this;
  }

  /// Whether it is complete; true if there is none.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE) {
    if (ours_) return ours_.test(status);
    if (mpis_ == MPI_REQUEST_NULL) return true;
    int done = 0;
    MPI_Test(&mpis_, &done, status);
    return done != 0;
  }

 private:
  range::Request ours_;
  MPI_Request mpis_ = MPI_REQUEST_NULL;
};

/// The communicator of a group, and nonblocking operations on it: those of range communicators on a
/// range communicator, MPI's on one of MPI.
class Link {
 public:
  explicit Link(const range::Comm& range) : comm_(range) {}
  /// … that a strategy made at `site`, which knows of it as long as it lives.
  Link(GroupComm made, std::shared_ptr<Site> site)
      : site_(std::move(site)), comm_(std::move(made)) {}
  /// … that somebody else owns.
  explicit Link(MPI_Comm borrowed) : borrowed_(borrowed) {
    MPI_Comm_rank(borrowed, &rank_);
    MPI_Comm_size(borrowed, &size_);
  }

  Link(Link&&) = default;
  Link& operator=(Link&&) = delete;  // it would let go of the site first

  int rank() const { return comm_ ? comm_.rank() : rank_; }
  int size() const { return comm_ ? comm_.size() : size_; }
  MPI_Comm comm() const { return comm_ ? comm_.comm() : borrowed_; }

  Pending gatherv(const void* data, int count, void* all, const int* counts, const int* places,
                  MPI_Datatype type, int root) const {
    if (const auto* range = comm_.as_range()) {
      return Pending(igatherv(data, count, type, all, counts, places, type, root, *range));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Igatherv(data, count, type, all, counts, places, type, root, comm(), &request);
    return Pending(request);
  }
  Pending bcast(void* data, int count, MPI_Datatype type, int root) const {
    if (const auto* range = comm_.as_range())
      return Pending(ibcast(data, count, type, root, *range));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(data, count, type, root, comm(), &request);
    return Pending(request);
  }
  /// Sums of numbers below the caller's rank; of nobody, nothing is written.
  Pending exscan(const long long* numbers, long long* sums, int count) const {
    if (const auto* range = comm_.as_range()) {
      return Pending(iexscan(numbers, sums, count, MPI_LONG_LONG, MPI_SUM, *range));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iexscan(numbers, sums, count, MPI_LONG_LONG, MPI_SUM, comm(), &request);
    return Pending(request);
  }
  Pending allmax(const long long* numbers, long long* results, int count) const {
    if (const auto* range = comm_.as_range()) {
      return Pending(iallreduce(numbers, results, count, MPI_LONG_LONG, MPI_MAX, *range));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(numbers, results, count, MPI_LONG_LONG, MPI_MAX, comm(), &request);
    return Pending(request);
  }
  Pending allgather(const long long* numbers, int count, long long* all) const {
    if (const auto* range = comm_.as_range()) {
      return Pending(iallgather(numbers, count, MPI_LONG_LONG, all, count, MPI_LONG_LONG, *range));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallgather(numbers, count, MPI_LONG_LONG, all, count, MPI_LONG_LONG, comm(), &request);
    return Pending(request);
  }
  Pending send(const void* data, int count, MPI_Datatype type, int to, int tag) const {
    if (const auto* range = comm_.as_range())
      return Pending(isend(data, count, type, to, tag, *range));
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, count, type, to, tag, comm(), &request);
    return Pending(request);
  }
  Pending receive(void* data, int count, MPI_Datatype type, int from, int tag) const {
    if (const auto* range = comm_.as_range()) {
      return Pending(irecv(data, count, type, from, tag, *range));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, count, type, from, tag, comm(), &request);
    return Pending(request);
  }

 private:
  std::shared_ptr<Site> site_;  // outlives the communicator, which it counts
  GroupComm comm_;
  MPI_Comm borrowed_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace regroup::sorting
