// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "jobs/catalog/scenario.hpp"
#include "jobs/configuration/configuration.hpp"
#include "jobs/launch/mpi_job.hpp"

namespace regroup {

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
