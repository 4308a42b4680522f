// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>
#include <string>
#include <string_view>

namespace regroup {

/// The file beside `outcome_file` for the error messages of its processes.
std::string failure_file(const std::string& outcome_file);

/// The file that is created at the common start, with the version of the program.
std::string start_file(const std::string& outcome_file);

/// The file with a line of progress, which is updated from time to time.
std::string progress_file(const std::string& outcome_file);

/// The file that is created when a stopped process is continued (SIGCONT).
std::string continued_file(const std::string& outcome_file);

/// The signals that schedulers send before they end a job.
inline constexpr std::array ending_signals{SIGTERM, SIGUSR1, SIGUSR2, SIGHUP, SIGXCPU};

/// Makes report_failure() also write to the failure file of `outcome_file`, because launchers may
/// lose the last output, and logs ending_signals there. The order of lines shows whether a process
/// was terminated from outside or failed first. Also creates the continued file when the process is
/// continued, and turns exceeding the file size limit into a write error.
void log_failures_of(const std::string& outcome_file);

inline constexpr std::string_view terminated_line = "regroup: told to end\n";

/// Prefixes of the error messages of processes that exit with code 0 although their task is
/// unsupported or has failed.
inline constexpr std::string_view unsupported_prefix = "unsupported: ";
inline constexpr std::string_view failed_prefix = "failed: ";

/// Reports details of the failure that is reported next, such as a stack trace.
void report_details(std::string_view lines);

/// Reports in one line why this process fails, on stderr and in the failure file.
void report_failure(std::string_view why);

}  // namespace regroup
