// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "library/resolve.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// What was asked for cannot be had where the ranks are; on every rank alike.
struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Who wants to hear of a task on its way, on rank 0.
struct Listeners {
  std::function<void()> on_start = nullptr;  ///< at the common start
  /// What the chains of a run observed, now and then (WalkerSource).
  std::function<void(std::int64_t, const Convergence&)> on_reports = nullptr;
};

/// Executes the task on the processes of `world`, as execute() does (kernel/mpi/engine.hpp), or
/// measure() (kernel/mpi/measurement/measure.hpp). Throws std::invalid_argument where the MPI
/// library lacks the calls of its strategy, and Unsupported. The chains of a run go on from the
/// states in the directory `states`, and theirs are written there.
Outcome execute(const Scenario& task, MPI_Comm world, const Catalog& catalog = standard_catalog(),
                const std::string& states = "", const Listeners& listeners = {});

}  // namespace regroup
