// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace regroup::range {

class Operation;

/// A communication under way on a range communicator. Null when made by default, and after the
/// test or wait that found it complete. Move-only; dropping one that is not complete waits for it.
///
/// Buffers belong to the communication until it is complete. Testing or waiting moves on everything
/// that is under way on the same Parent.
class Request {
 public:
  Request() = default;
  /// For operations only: takes over `operation`, which lies in `bytes` of its Parent's memory.
  Request(Operation* operation, std::size_t bytes) : operation_(operation), bytes_(bytes) {}
  Request(Request&& other) noexcept;
  Request& operator=(Request&& other) noexcept;
  ~Request();

  /// True while there is something to wait for.
  explicit operator bool() const { return operation_ != nullptr; }

  /// Looks, without waiting; true if complete, which a null request is. The status, of a receive,
  /// is in ranks of the communicator.
  bool test(MPI_Status* status = MPI_STATUS_IGNORE);

  /// Waits, as politely as the Parent's Waiter says.
  void wait(MPI_Status* status = MPI_STATUS_IGNORE);

 private:
  friend bool all_complete(std::span<Request> requests);
  friend bool testall(std::span<Request> requests);
  friend void waitall(std::span<Request> requests);

  bool complete() const;
  void finish(MPI_Status* status);
  void destroy();

  Operation* operation_ = nullptr;
  std::size_t bytes_ = 0;
};

inline bool test(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  return request.test(status);
}
inline void wait(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) { request.wait(status); }

/// True if all are complete; otherwise none of them becomes null, as in MPI. May be of several
/// Parents, each of which makes progress.
bool testall(std::span<Request> requests);

/// Waits for all, as the Waiter of the first that is not null says.
void waitall(std::span<Request> requests);

}  // namespace regroup::range
