// SPDX-License-Identifier: BSD-3-Clause
//
// A workload that was recorded: the items of every walker, one row each. The file is either CSV
// with a column `items` (and others, which do not matter), or plain numbers, one per line. Of a
// workflow's tasks a column `wants` may say how many ranks they would like to have.
#pragma once

#include "regroup/workload.hpp"

namespace regroup {

inline constexpr std::array trace_options{
    file_option("trace_file", "CSV with a column 'items', or one number per line"),
};

/// Throws std::invalid_argument with file and line where the file is no trace, or with both numbers
/// where it has not one row per walker.
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
