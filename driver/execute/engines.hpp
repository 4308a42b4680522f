// SPDX-License-Identifier: BSD-3-Clause
//
// The engine simgrid: the program of the ranks, built against SimGrid's SMPI (preset `simgrid`).
// All ranks live in one process, and the clock is virtual.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "driver/config/reader.hpp"
#include "driver/execute/mpi_job.hpp"
#include "library/task.hpp"

namespace regroup {

/// Why `task` cannot be executed on SimGrid; empty where it can.
std::string simgrid_lacks(const Scenario& task);

/// The command that executes `task` on SimGrid. Writes the simulated machine and the places of the
/// ranks on it.
MpiJob simgrid_job(const Configuration& configuration, const Scenario& task,
                   const TaskFiles& files);

/// Throws UserError where the program of the ranks is not built, or smpirun cannot be started.
void check_simgrid(const Configuration& configuration);

/// How the tasks of an engine are executed: the other half of its row in jobs/catalog/engines.cpp.
struct Execution {
  std::string_view engine;
  /// Why it cannot execute a task; empty where it can.
  std::string (*lacks)(const Scenario& task);
  /// Throws UserError where nothing can be launched.
  void (*check)(const Configuration& configuration);
  /// The command that executes a task; nullptr: this program does.
  MpiJob (*job)(const Configuration& configuration, const Scenario& task, const TaskFiles& files);
  /// The wall time that a task of so many ranks is likely to take, launching included. `busy_s`
  /// finds out how long its ranks are busy, as far as that is known.
  std::optional<double> (*wall_s)(int ranks, const std::function<std::optional<double>()>& busy_s);
};

/// What launching and ending so many real ranks is likely to take where nobody measured it.
double usual_launching_s(int ranks);

const Execution& execution(std::string_view engine);

}  // namespace regroup
