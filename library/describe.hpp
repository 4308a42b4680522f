// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "library/task.hpp"

namespace regroup {

/// Describes a task in one line, for progress output and plans.
std::string describe(const Task& task);

/// Describes the balancer of a run with its options, and its strategy: "collective(16),
/// create_group".
std::string describe_balancer(const Task& run);

/// Describes the initial groups: "equal", "0-3/4-7 12/8-11", or "64 1a2b3c4d", the number of groups
/// and a hash, if the text is long.
std::string describe_groups(const Run& run);

/// Describes the work of a run: "32 ranks, G 4, T 100 ms, exponential(mean_items=140)".
std::string describe_problem(const Task& run);

/// Describes a row with the options that differ from the default: "exponential(mean_items=200)".
std::string describe_row(const Entry& row, const Options& options);

/// Returns lines with the number of combinations of parameters that are equal to another run, and
/// of those that the key `exclude` excludes; empty if there are none.
std::string left_out_note(std::size_t left_out, std::size_t excluded);

}  // namespace regroup
