// SPDX-License-Identifier: BSD-3-Clause
//
// The operations that the measurement of collectives times, on range communicators and in MPI.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/range.hpp"

namespace regroup {

/// The participants of an operation, as one member sees them.
struct Participants {
  int rank = 0;
  int size = 1;
  int root = 0;      ///< of the operations that have one
  int elements = 1;  ///< doubles of each member
};

/// The data of an operation. A nonblocking operation of MPI reads all of it until it is complete.
struct Buffers {
  std::vector<double> own;       ///< data of this member, always the same
  std::vector<double> received;  ///< at the root of a broadcast, the data that it sends
  std::vector<int> counts;       ///< of gatherv
  std::vector<int> begins;       ///< of gatherv
};

struct CollectiveOperation {
  enum class Result { data_of_root, sum, data_of_all, none };

  std::string_view name;
  Result result;
  range::Request (*start_on_range)(Buffers& buffers, const Participants& participants,
                                   const range::Comm& comm);
  void (*start_in_mpi)(Buffers& buffers, const Participants& participants, MPI_Comm comm,
                       MPI_Request* request);
  /// What `received` begins with afterwards; empty if this member receives nothing.
  std::vector<double> (*expected)(const Participants& participants);
};

/// Throws std::invalid_argument if there is none of that name.
const CollectiveOperation& collective_operation(std::string_view name);

Buffers buffers_for(const CollectiveOperation& operation, const Participants& participants);

/// Executes `operation`: on a range communicator its own, on any other MPI's nonblocking one.
/// `waiter`: that of the communicator's Site. Called by all members.
void execute(const CollectiveOperation& operation, Buffers& buffers,
             const Participants& participants, const GroupComm& comm, const Waiter& waiter);

/// Executes `operation` on fresh data and throws std::runtime_error if its result is wrong.
void verify(const CollectiveOperation& operation, const Participants& participants,
            const GroupComm& comm, const Waiter& waiter);

}  // namespace regroup
