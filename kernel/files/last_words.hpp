// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace regroup {

/// The file beside `outcome_file` that takes the last words of the processes that should write it.
std::string last_words_file(const std::string& outcome_file);

/// The file beside it that is there once they have started together.
std::string start_file(const std::string& outcome_file);

/// The file beside it in which they tell how they get on, a line that is replaced now and then.
std::string news_file(const std::string& outcome_file);

/// The file that say_last() also writes to: a launcher may lose the last output of a process that
/// ends all others. From now on SIGTERM, too, leaves its line there before it ends this process:
/// the order of lines tells whether somebody ended the processes, or what one of them saw.
void keep_last_words_in(std::string file);

/// The line of a process that was told to end, by SIGTERM.
inline constexpr std::string_view told_to_end = "regroup: told to end\n";

/// What the last words begin with of processes that end as if all were well, although they cannot
/// do what they should: what was asked for cannot be had where they are, or they are not where they
/// should be.
inline constexpr std::string_view unsupported_here = "unsupported: ";
inline constexpr std::string_view failed_here = "failed: ";

/// Says in one line why this process ends before its time: on stderr, and at the end of the file
/// that keep_last_words_in() named.
void say_last(std::string_view why);

}  // namespace regroup
