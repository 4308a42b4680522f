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

/// What came of a task: a report to record or, where there is nothing to record, what happened to
/// it; no words where we were interrupted.
struct Executed {
  std::optional<Report> report = {};
  std::string no_result = {};
};

/// Executes `task` on processes of its own. Its files are in `logs` meanwhile; what tells of a task
/// that did not end well stays. `tick` is called ten times a second. A task that did not come to
/// its common start, and of which no rank says why, is no result: machines and schedulers that
/// fail say nothing of what was to be measured. Nor is one that somebody else ended (SIGTERM).
Executed execute(const Configuration& configuration, const Scenario& task, const std::string& logs,
                 const Tick& tick);

}  // namespace regroup
