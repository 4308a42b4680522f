// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <string_view>

namespace regroup {

/// The file beside `outcome_file` for the last words of its processes.
std::string failure_file(const std::string& outcome_file);

/// … that exists once they have started together, with the version of their program.
std::string start_file(const std::string& outcome_file);

/// … with a line of progress, which is replaced now and then.
std::string progress_file(const std::string& outcome_file);

/// … that exists if a process was stopped and continued.
std::string continued_file(const std::string& outcome_file);

/// The signals that schedulers send before they end a job.
inline constexpr std::array ending_signals{SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGXCPU};

/// For a process that writes `outcome_file`: report_failure() also writes to its failure file,
/// since a launcher may lose the last output. So do ending_signals; the order of the lines shows
/// whether the processes were ended from outside, or failed first. Creates the continued file when
/// the process is continued. Exceeding the file size limit becomes a write error.
void log_failures_of(const std::string& outcome_file);

inline constexpr std::string_view terminated_line = "regroup: told to end\n";

/// Prefixes of the last words of processes that exit with code 0 although they cannot do their
/// task.
inline constexpr std::string_view unsupported_prefix = "unsupported: ";
inline constexpr std::string_view failed_prefix = "failed: ";

/// Reports lines that explain the failure that is reported next, such as a stack trace.
void report_details(std::string_view lines);

/// Reports in one line why this process ends: on stderr and in the failure file.
void report_failure(std::string_view why);

}  // namespace regroup
