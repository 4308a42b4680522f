// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "jobs/configuration/configuration.hpp"
#include "jobs/sweep/report.hpp"

namespace regroup {

/// Is shown how the run gets on, where that is known, else nothing.
using Tick = std::function<void(const std::string& news)>;

/// Executes `task` on processes of its own, and says what came of it. Its files are in `logs`
/// meanwhile; what tells of a task that did not end well stays. `tick` is called ten times a
/// second. Answers nothing when it was interrupted: then there is nothing to record.
std::optional<Report> execute(const Configuration& configuration, const Scenario& task,
                              const std::string& logs, const Tick& tick);

}  // namespace regroup
