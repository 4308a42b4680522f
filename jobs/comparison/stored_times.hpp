// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/records/record.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {

/// A time of one row: of a run the makespan, of a measurement the median of its samples.
struct StoredTime {
  double seconds;
  std::optional<Interval> interval;  ///< of the median, where the row has one
};

using Values = std::map<std::string, std::string>;  // by name

/// A row as comparisons see it.
struct ComparedRow {
  Values parameters;  ///< all but those by which rows are samples of one time
  Values conditions;  ///< what is no parameter: MPI library, version, place; empty without outcome
  std::string placement;  ///< one of many where a scheduler chose it: told, but no condition
  std::string problem;    ///< rows with different ones had different things to do
  bool exact = false;     ///< in virtual time: a sample of nothing
  std::map<std::string, StoredTime> times;  ///< by column
  Status status = Status::ok;
  std::string told;  ///< in one line, with why it did not end well
};

/// The rows of the file of `kind` in a directory of results. Throws UserError.
std::vector<ComparedRow> compared_rows(const std::string& directory, std::string_view kind);

}  // namespace regroup
