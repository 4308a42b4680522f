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

/// `news`: how the run gets on; empty where that is not known.
using Tick = std::function<void(const std::string& news)>;

/// Prints a message to the user immediately.
using Note = std::function<void(const std::string& text)>;

/// A report or, where there is nothing to record, what happened; neither where we were interrupted.
struct Executed {
  std::optional<Report> report = {};
  std::string no_result = {};
};

/// Executes `task` on processes of its own. Its files are in `logs`; those of a task that did not
/// end well stay. `tick` is called ten times a second, and `note` if the start takes long. There is
/// no report of a task that did not reach its common start while no rank reported an error
/// (machines and schedulers fail), nor of one that was ended from outside (see ending_signals).
Executed execute(const Configuration& configuration, const Task& task, const std::string& logs,
                 const Tick& tick, const Note& note);

}  // namespace regroup
