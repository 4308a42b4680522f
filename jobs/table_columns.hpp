// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/repeated_runs.hpp"

namespace regroup {

/// A setting, and those that it may be compared with.
struct Line {
  const RepeatedRuns& runs;
  const std::vector<RepeatedRuns>& all;
};

/// What becomes of a column in a table for people: `parameter` goes above the table where all rows
/// that have a value have the same, `optional` is left out where no row has one.
enum class Kind { parameter, figure, optional };

struct Heading {
  std::string_view name;
  Kind kind;
  bool left;  ///< aligned to the left
  std::string (*cell)(const Line& line);
};

/// The columns of the table of runs.
std::span<const Heading> table_columns();

}  // namespace regroup
