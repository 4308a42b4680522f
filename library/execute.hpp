// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

#include "engines/mpi/position.hpp"
#include "library/task.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Listeners to the progress of a task: on rank 0, and on each rank of a run.
struct Listeners {
  std::function<void()> on_start = nullptr;  ///< at the common start
  /// What the chains of a run observed, now and then (WalkerSource).
  std::function<void(std::int64_t, const Convergence&)> on_reports = nullptr;
  Position* position = nullptr;  ///< of this rank
};

/// Executes the task on the processes of `world`, collectively. Throws std::invalid_argument where
/// the MPI library lacks the calls of its strategy, std::runtime_error if the launcher belongs to
/// another MPI library, and Unsupported. The chains of a run continue from the states in the
/// directory `states`, and theirs are written there.
Outcome execute(const Task& task, MPI_Comm world, const std::string& states = "",
                const Listeners& listeners = {});

}  // namespace regroup
