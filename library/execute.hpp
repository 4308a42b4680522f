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
  /// What the chains of a run observed, now and then (WalkerSource).
  std::function<void(std::int64_t, const Convergence&)> on_reports = nullptr;
  Position* position = nullptr;  ///< of this rank
  /// For a run that goes on when ranks are lost: the rank's black box, the file of its outcome, and
  /// what rank 0 of those that are left does with the outcome. It stores that before any rank ends,
  /// and if ranks were lost, the function that executes the run never returns.
  BlackBox* box = nullptr;
  std::string outcome_file = {};
  std::function<void(const Outcome&)> store = nullptr;
};

/// Executes the task on the processes of `world`, collectively. Throws std::invalid_argument where
/// the MPI library lacks the calls of its strategy, std::runtime_error if the launcher belongs to
/// another MPI library, and Unsupported. The chains of a run continue from the states in the
/// directory `states`, and theirs are written there.
Outcome execute(const Task& task, MPI_Comm world, const std::string& states = "",
                const Listeners& listeners = {});

}  // namespace regroup
