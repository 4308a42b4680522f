// SPDX-License-Identifier: BSD-3-Clause
//
// The output of the command. If it cannot be written, runs continue, and the exit code reports it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace regroup {

/// Opens standard streams that the caller has closed, so that no other file gets their descriptors.
/// Writing to them fails, and so does writing to a pipe without a reader. Must be called first.
void open_console();

/// Prints to standard output. Never fails: see output_complete().
void print_out_text(std::string_view text);

template <class... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_out_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Returns the program as it was called, for messages and hints: `build/regroup`. It is "regroup"
/// until set_program_call() is called, for example on ranks.
const std::string& program_call();

/// Must be called before other threads exist.
void set_program_call(std::string call);

/// Returns the last component of program_call(): `regroup`.
std::string_view program_name();

/// Prints a message with the prefix program_name() on stderr, as one line of limited length.
void print_error(std::string_view message);

/// Returns whether all standard output so far has been written.
bool output_complete();

/// Returns the maximum number of columns of `text` in a terminal; characters may be two wide.
std::size_t width_of(std::string_view text);

/// Returns `text`, shortened with an ellipsis to `columns` if it is wider.
std::string fitted(std::string_view text, std::size_t columns);

/// Wraps `text` into lines of at most `columns`, if no word is longer. The first line starts at
/// column `begin`; other lines are indented by `indent`.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent,
                   std::size_t begin = 0);

/// A status line at the end of a terminal, in one row. Not shown if standard output is not a
/// terminal.
class TerminalLine {
 public:
  TerminalLine();

  bool shown() const { return shown_; }

  /// Replaces the line. `middle` is shortened if the terminal is too narrow.
  void draw(std::string_view front, std::string_view middle, std::string_view back);

  void clear();

  /// Prints a permanent line, wrapped between words in a terminal.
  void say(std::string_view text);

 private:
  bool shown_;
  std::size_t drawn_ = 0;  // columns of the line
};

}  // namespace regroup
