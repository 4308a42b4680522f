// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// The file beside `outcome_file` for the last words of its processes.
std::string failure_file(const std::string& outcome_file);

/// … that exists once they have started together.
std::string start_file(const std::string& outcome_file);

/// … with a line of progress, which is replaced now and then.
std::string progress_file(const std::string& outcome_file);

/// The file that report_failure() also writes to, since a launcher may lose the last output. From
/// now on SIGTERM leaves a line there, too: their order tells whether somebody ended the processes,
/// or what one of them found.
void log_failures_to(std::string file);

inline constexpr std::string_view terminated_line = "regroup: told to end\n";

/// Prefixes of the last words of processes that exit with code 0 although they cannot do their
/// task.
inline constexpr std::string_view unsupported_prefix = "unsupported: ";
inline constexpr std::string_view failed_prefix = "failed: ";

/// Reports in one line why this process ends: on stderr and in the file of log_failures_to().
void report_failure(std::string_view why);

}  // namespace regroup
