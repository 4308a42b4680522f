// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <vector>

namespace regroup::range {

class Operation;

/// What MPI says of a request without a message: its empty status.
inline void tell_of_nothing(MPI_Status& status) {
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  status.MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(&status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(&status, 0);
}

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
  friend bool testall(std::span<Request> requests, MPI_Status* statuses);
  friend void waitall(std::span<Request> requests, MPI_Status* statuses);
  friend class SomeOf;

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
/// `statuses`: as many as requests, or MPI_STATUSES_IGNORE.
bool testall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

/// Waits for all, as the Waiter of the first that is not null says. With errors, too: the first is
/// thrown.
void waitall(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

// Of requests of which some are complete, as MPI's functions of the same names. An error is that of
// the first request among those told of that has one: it is thrown, and all these are null then.
// There is no cancel: MPI 4.1 has deprecated that of sends, which may have been received already;
// and what is received may have been taken out of MPI's queue for the one that is to be cancelled.

/// The index of one that is complete, which becomes null; nothing if none is, and MPI_UNDEFINED if
/// all are null.
std::optional<int> testany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);
/// Waits for one; MPI_UNDEFINED if all are null.
int waitany(std::span<Request> requests, MPI_Status* status = MPI_STATUS_IGNORE);

/// The indices, ascending, of those that are complete, which become null; `statuses[i]` is that of
/// the i-th index. None where none is complete, or all are null.
std::vector<int> testsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);
/// Waits for at least one; none if all are null.
std::vector<int> waitsome(std::span<Request> requests, MPI_Status* statuses = MPI_STATUSES_IGNORE);

}  // namespace regroup::range
