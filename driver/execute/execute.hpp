// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/config/reader.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/record.hpp"

namespace regroup {

/// What there is to tell of a task that ended.
struct Report {
  Ended ended;
  std::vector<std::string> lines;  ///< for each of the files of its kind
  std::string result;              ///< in a few words, where it ended well
  std::string warning;             ///< what the user should know of it; said once in a sweep
  PlaceFile place;                 ///< where it was, of processes
};

Report report_of(const Record& record);

/// … of a task that processes executed. Where it ended well, `outcome` is what they wrote; throws
/// where that is not whole, or cannot be. `events`: what is to be written of it.
Report report_of(const Scenario& task, const Ended& ended, const std::string& outcome,
                 EventDetail events = EventDetail::all);

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
