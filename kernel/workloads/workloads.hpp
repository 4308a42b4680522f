// SPDX-License-Identifier: BSD-3-Clause
//
// Traces: CSV files with one row per walker and a column `items`, or one plain number per line. A
// column `wants` may contain the number of ranks that each walker wants.
#pragma once

#include "regroup/workload.hpp"

namespace regroup {

inline constexpr std::array trace_options{
    file_option("trace_file", "file with one number per line, or CSV file with a column `items`"),
};

/// Throws std::invalid_argument with file and line if the file is not a trace, and with the file if
/// its number of rows differs from the number of walkers.
Items trace(const Options& options, Groups groups, std::uint64_t seed);

/// A column of traces.
struct TraceColumn {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  std::string_view what;  ///< unit of the numbers, for messages
  bool may_be_alone;      ///< whether a file of plain numbers may replace the column
};
inline constexpr TraceColumn trace_items{"items", 0, 1'000'000'000'000'000, "items", true};
inline constexpr TraceColumn trace_wants{"wants", 1, 1 << 20, "ranks", false};

/// Returns the numbers of `column`, one per walker. Throws like `trace`.
std::vector<std::int64_t> column_of_trace(const std::string& file, const TraceColumn& column,
                                          std::size_t walkers);

}  // namespace regroup
