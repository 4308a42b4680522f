// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "library/task.hpp"

namespace regroup {

/// A task in one line, as progress and plans show it.
std::string describe(const Task& task);

/// "asynchronous(finished_groups=release), create_group": the balancer of a run with its options,
/// and its strategy.
std::string describe_balancer(const Task& run);

/// The groups at its start: "equal", "0-3/4-7 12/8-11", or of longer texts "64 1a2b3c4d", how many
/// they are and a name.
std::string describe_groups(const Run& run);

/// "32 ranks, G 4, T 100 ms, exponential(mean_items=140)": what a run is to do, whoever does it.
std::string describe_problem(const Task& run);

/// "exponential(mean_items=200)": a row of a list with those options that are not as usual.
std::string describe_row(const Entry& row, const Options& options);

/// Lines about combinations of parameters that are no tasks of their own, and about those that the
/// key `exclude` leaves out; empty without any.
std::string left_out_note(std::size_t left_out, std::size_t excluded);

}  // namespace regroup
