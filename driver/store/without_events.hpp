// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "kernel/files/csv.hpp"

namespace regroup {

/// Why events.csv has nothing of the run that `row` of runs.csv tells of, which ended well, and
/// what has it written; empty where it was written.
std::string why_without_events(const CsvRow& row);

/// The same of the run called `run` of the results in `directory`; where that is empty, of the last
/// that ended well. Empty, too, where there is no such run, or no runs.csv.
std::string why_without_events(const std::string& directory, const std::string& run);

}  // namespace regroup
