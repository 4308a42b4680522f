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
/// std::invalid_argument if the MPI library lacks the strategy's calls, and Unsupported if it is
/// impossible where the ranks are.
Outcome measure(const Measurement& measurement, Seeds seeds, const std::string& waiting,
                const std::function<void()>& on_start, MPI_Comm world);

/// Messages that this process has sent so far, and the bytes in them.
struct MessageCount {
  long long messages = 0;
  long long bytes = 0;
};

// Counted by wrappers of MPI's profiling interface, which `regroup` has; else none.

/// By MPI_Send and MPI_Isend, without those of MPI's own constructors and collectives.
std::optional<MessageCount> profiled_messages();
/// Calls of MPI's functions that create communicators.
std::optional<long long> profiled_constructors();

/// All messages that MPI handed to UCX; needs a preloaded library that counts them.
std::optional<MessageCount> transport_messages();

}  // namespace regroup
