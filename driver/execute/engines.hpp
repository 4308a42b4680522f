// SPDX-License-Identifier: BSD-3-Clause
//
// The engines of the command: mpi, virtual, and simgrid, which runs the program of the ranks that
// is built against SimGrid's SMPI (preset `simgrid`).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "driver/config/experiment.hpp"
#include "driver/execute/mpi_job.hpp"
#include "library/task.hpp"

namespace regroup {

/// An engine of the catalog, with the functions that check and launch its tasks.
struct LaunchedEngine : Engine {
  /// Returns why the engine cannot execute a task; empty if it can.
  std::string (*lacks)(const Task& task);
  /// Throws UserError if tasks cannot be launched.
  void (*check)(const Configuration& configuration);
  /// Returns the command that executes a task; nullptr if this program executes it.
  MpiJob (*job)(const Configuration& configuration, const Task& task, const TaskFiles& files);
  /// Estimates the wall time of a task on `ranks` ranks, launching included; nothing if unknown.
  /// `busy_s` returns the time that its ranks are busy, if known.
  std::optional<double> (*wall_s)(int ranks, const std::function<std::optional<double>()>& busy_s);
};

/// Returns all engines, for make_catalog().
std::span<const Engine* const> engines();

/// Returns the engine of a task; for measurements, which need real processes, the engine mpi.
const LaunchedEngine& engine_of(const Task& task);
const LaunchedEngine& engine_of(const Experiment& experiment, std::size_t index);

/// Returns the usual time to launch and end `ranks` real ranks, for lack of a measurement.
double usual_launching_s(int ranks);

}  // namespace regroup
