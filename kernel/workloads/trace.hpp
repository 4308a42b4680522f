// SPDX-License-Identifier: BSD-3-Clause
//
// A workload that was recorded: the items of every group, from left to right, one row per group.
// The file is either CSV with a column `items` (and others, which do not matter), or plain numbers,
// one per line.
#pragma once

#include "kernel/workloads/workload.hpp"

namespace regroup {

inline constexpr std::array trace_options{
    file_option("file", "CSV with a column 'items', or one number per line"),
};

/// Throws std::invalid_argument with file and line where the file is no trace, or with both numbers
/// where it has not one row per group.
Items trace(const Options& options, Groups groups, std::uint64_t seed);

}  // namespace regroup
