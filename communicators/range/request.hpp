// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <span>

namespace regroup::range {

class Operation;

/// A communication under way on a range communicator. Null when made by default, and after the
/// test or wait that found it complete. Move-only; dropping one that is not complete, or assigning
/// to it, waits for it.
///
/// An error of the communication is thrown by the test or wait that finds it complete, and by no
/// other; it is null then, too. That of a request that is dropped is lost. After an error nothing
/// is received into its buffers any more; what it was sending may still be read.
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
  /// Of one that is complete; answers its error.
  std::exception_ptr finish(MPI_Status* status) noexcept;
  void drop() noexcept;

  Operation* operation_ = nullptr;
  std::size_t bytes_ = 0;
};

inline bool test(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) {
  return request.test(status);
}
inline void wait(Request& request, MPI_Status* status = MPI_STATUS_IGNORE) { request.wait(status); }

/// True if all are complete; otherwise none of them becomes null, as in MPI. May be of several
/// Parents, each of which makes progress. With errors, all become null, and the first is thrown.
bool testall(std::span<Request> requests);

/// Waits for all, as the Waiter of the first that is not null says. With errors, too: the first is
/// thrown.
void waitall(std::span<Request> requests);

}  // namespace regroup::range
