// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "regroup/bench.hpp"
#include "regroup/measurement.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Measures with the processes of `world`. `waiting`: auto, wrapper, polite or direct. Rank 0 calls
/// `on_start`, if given, at the common start. Collective; the outcome is complete on rank 0. Throws
/// std::invalid_argument if the MPI library lacks the strategy's calls, and Unsupported if the
/// placement of the ranks makes the measurement impossible.
Outcome measure(const Measurement& measurement, Seeds seeds, const std::string& waiting,
                const std::function<void()>& on_start, MPI_Comm world);

/// The number of messages that this process has sent so far, and their size.
struct MessageCount {
  long long messages = 0;
  long long bytes = 0;
};

// Wrappers of MPI's profiling interface (profile.c) count; nullopt in programs without them.

/// Counts MPI_Send and MPI_Isend, without messages of MPI's own constructors and collectives.
std::optional<MessageCount> profiled_messages();
/// Counts calls of MPI functions that create communicators.
std::optional<long long> profiled_constructors();

/// Counts all messages that MPI hands to UCX; nullopt without the preloaded library that counts.
std::optional<MessageCount> transport_messages();

}  // namespace regroup
