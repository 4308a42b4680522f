// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

namespace regroup {

/// Messages that this process has sent so far, and the bytes in them.
struct MessageCount {
  long long messages = 0;
  long long bytes = 0;
};

/// Those that were sent by calls of MPI (MPI_Send, MPI_Isend), seen through its profiling
/// interface. What MPI's own constructors and collectives send does not pass there. Only the
/// program regroup-mpi counts; elsewhere nothing is known.
std::optional<MessageCount> profiled_messages();

/// Calls of MPI's functions that make communicators, likewise.
std::optional<long long> profiled_constructors();

/// All that the MPI library handed to UCX; known where transport_count.c is in or preloaded.
std::optional<MessageCount> transport_messages();

}  // namespace regroup
