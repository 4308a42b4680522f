// SPDX-License-Identifier: BSD-3-Clause
//
// A trace: CSV with a row for each walker and a column `items`, or plain numbers, one
// per line. A column `wants` may hold the ranks that walkers would like to have.
#pragma once

#include "regroup/workload.hpp"

namespace regroup {

inline constexpr std::array trace_options{
    file_option("trace_file", "file with one number per line, or CSV file with a column `items`"),
};

/// Throws std::invalid_argument, with file and line, if the file is no trace, or has another number
/// of rows than there are walkers.
Items trace(const Options& options, Groups groups, std::uint64_t seed);

/// A column of traces.
struct TraceColumn {
  std::string_view name;
  std::int64_t least;
  std::int64_t most;
  std::string_view what;  ///< a number is a number of these
  bool may_be_alone;      ///< in a file of plain numbers
};
inline constexpr TraceColumn trace_items{"items", 0, 1'000'000'000'000'000, "items", true};
inline constexpr TraceColumn trace_wants{"wants", 1, 1 << 20, "ranks", false};

/// Its numbers, of so many `walkers`; throws like `trace`.
std::vector<std::int64_t> column_of_trace(const std::string& file, const TraceColumn& column,
                                          std::size_t walkers);

}  // namespace regroup
