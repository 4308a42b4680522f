// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

#include "engines/mpi/black_box.hpp"
#include "engines/mpi/position.hpp"
#include "library/task.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Listeners to the progress of a task: on rank 0, and on each rank of a run.
struct Listeners {
  std::function<void()> on_start = nullptr;  ///< at the common start
  /// Called now and then with the observations of a run's chains (WalkerSource).
  std::function<void(std::int64_t, const Convergence&)> on_reports = nullptr;
  Position* position = nullptr;  ///< of this rank
  /// For a run that recovers from lost ranks: the rank's black box, the file of the outcome, and
  /// the function by which rank 0 of the remaining ranks stores the outcome, before any rank ends.
  /// If ranks were lost, the function that executes the run never returns.
  BlackBox* box = nullptr;
  std::string outcome_file = {};
  std::function<void(const Outcome&)> store = nullptr;
};

/// Executes the task on the processes of `world`, collectively. Throws std::invalid_argument if the
/// MPI library lacks the calls of its strategy, std::runtime_error if the launcher belongs to
/// another MPI library, and Unsupported. If `states` is not empty, the chains of a run continue
/// from the states in this directory, and store their states there.
Outcome execute(const Task& task, MPI_Comm world, const std::string& states = "",
                const Listeners& listeners = {});

}  // namespace regroup
