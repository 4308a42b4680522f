// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driver/config/reader.hpp"
#include "driver/store/record.hpp"
#include "driver/store/run_files.hpp"

namespace regroup {

/// The record of a task that has ended, and messages about it.
struct Report {
  Record record;
  std::string result;   ///< a short text; empty unless the task ended well
  std::string warning;  ///< for the user; printed once in a sweep
  PlaceFile place;      ///< the hosts of its processes; empty if there were none
};
Report report_of(Finished finished);

/// `news`: progress of the run; empty if unknown.
using Tick = std::function<void(const std::string& news)>;

/// Prints a message to the user immediately.
using Note = std::function<void(const std::string& text)>;

/// A report or, if there is nothing to record, the cause; neither if an interrupt came.
struct Executed {
  std::optional<Report> report = {};
  std::string no_result = {};
};

/// Executes `task` in processes of its own. Its files are in `logs`; those of a task that did not
/// end well stay. Calls `tick` at least ten times a second, and `note` if the start takes long or a
/// rank is lost. There is no report of a task that ended before its common start without an error
/// from a rank, was ended from outside (see ending_signals), or lost its hosts.
Executed execute(const Configuration& configuration, const Task& task, const std::string& logs,
                 const Tick& tick, const Note& note);

}  // namespace regroup
