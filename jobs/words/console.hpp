// SPDX-License-Identifier: BSD-3-Clause
//
// What the command says. It may be started without standard streams, its output may go to a full
// disk, and who reads it may leave: the runs go on all the same, and the exit code tells.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace regroup {

/// Opens those of the standard streams that the caller has closed, so that no file of ours takes
/// their place; writing to them fails. Has writing to a pipe without a reader fail, too, instead of
/// ending us. To be called first.
void open_console();

/// Prints to standard output. Never fails: see output_is_whole().
void tell_text(std::string_view text);

template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  tell_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a message on stderr, in a line of plain text that begins with "regroup: " and has an end.
void complain(std::string_view message);

/// Whether all that was printed to standard output so far was written.
bool output_is_whole();

}  // namespace regroup
