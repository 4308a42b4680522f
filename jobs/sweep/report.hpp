// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "jobs/records/place_file.hpp"
#include "jobs/records/record.hpp"

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

}  // namespace regroup
