// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// The file beside `outcome_file` that takes the last words of the processes that should write it.
std::string failure_file(const std::string& outcome_file);

/// The file beside it that is there once they have started together.
std::string start_file(const std::string& outcome_file);

/// The file beside it in which they tell how they get on, a line that is replaced now and then.
std::string progress_file(const std::string& outcome_file);

/// The file that report_failure() also writes to: a launcher may lose the last output of a process
/// that ends all others. From now on SIGTERM, too, leaves its line there before it ends this
/// process: the order of lines tells whether somebody ended the processes, or what one of them saw.
void log_failures_to(std::string file);

/// The line of a process that was told to end, by SIGTERM.
inline constexpr std::string_view terminated_line = "regroup: told to end\n";

/// What the last words begin with of processes that end as if all were well, although they cannot
/// do what they should: what was asked for cannot be had where they are, or they are not where they
/// should be.
inline constexpr std::string_view unsupported_prefix = "unsupported: ";
inline constexpr std::string_view failed_prefix = "failed: ";

/// Says in one line why this process ends before its time: on stderr, and at the end of the file
/// that log_failures_to() named.
void report_failure(std::string_view why);

}  // namespace regroup
