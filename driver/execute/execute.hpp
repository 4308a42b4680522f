// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driver/config/reader.hpp"
#include "driver/store/record.hpp"
#include "driver/store/run_files.hpp"

namespace regroup {

/// A task that has ended, and what there is to say about it.
struct Report {
  Record record;
  std::string result;   ///< in a few words, where it ended well
  std::string warning;  ///< for the user; said once in a sweep
  PlaceFile place;      ///< where it was executed, of processes
};
Report report_of(Finished finished);

/// Is shown how the run gets on, where that is known, else nothing.
using Tick = std::function<void(const std::string& news)>;

/// What came of a task: a report or, where there is nothing to record, what happened to it; no
/// words where we were interrupted.
struct Executed {
  std::optional<Report> report = {};
  std::string no_result = {};
};

/// Executes `task` on processes of its own. Its files are in `logs` meanwhile; those of a task that
/// did not end well stay. `tick` is called ten times a second. A task that did not come to its
/// common start, and of which no rank says why, is no result: machines and schedulers that fail say
/// nothing of what was to be measured. Nor is one that somebody else ended (SIGTERM).
Executed execute(const Configuration& configuration, const Task& task, const std::string& logs,
                 const Tick& tick);

}  // namespace regroup
