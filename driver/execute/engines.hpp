// SPDX-License-Identifier: BSD-3-Clause
//
// The engines of the command: mpi, virtual, and simgrid, the program of the ranks built against
// SimGrid's SMPI (preset `simgrid`).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "driver/config/experiment.hpp"
#include "driver/execute/mpi_job.hpp"
#include "library/task.hpp"

namespace regroup {

/// A row of the list of engines, with how their tasks are executed.
struct LaunchedEngine : Engine {
  /// Why it cannot execute a task; empty where it can.
  std::string (*lacks)(const Task& task);
  /// Throws UserError where nothing can be launched.
  void (*check)(const Configuration& configuration);
  /// The command that executes a task; nullptr: this program does.
  MpiJob (*job)(const Configuration& configuration, const Task& task, const TaskFiles& files);
  /// The wall time that a task of so many ranks is likely to take, launching included. `busy_s`
  /// finds out how long its ranks are busy, as far as that is known.
  std::optional<double> (*wall_s)(int ranks, const std::function<std::optional<double>()>& busy_s);
};

/// All of them, for make_catalog().
std::span<const Engine* const> engines();

/// That of a task: measurements are made by real processes.
const LaunchedEngine& engine_of(const Task& task);
const LaunchedEngine& engine_of(const Experiment& experiment, std::size_t index);

/// What launching and ending so many real ranks is likely to take where nobody measured it.
double usual_launching_s(int ranks);

}  // namespace regroup
