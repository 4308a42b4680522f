// SPDX-License-Identifier: BSD-3-Clause
//
// The output of the command. Runs go on if it cannot be written, and the exit code tells.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace regroup {

/// Opens standard streams that the caller has closed, so that no file of ours takes their place;
/// writing to them fails, and so does writing to a pipe without a reader. To be called first.
void open_console();

/// Prints to standard output. Never fails: see output_complete().
void print_out_text(std::string_view text);

template <class... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_out_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// The program as it was called, for messages and hints: `build/regroup`. "regroup" before a call
/// of set_program_call(), as on ranks.
const std::string& program_call();

/// To be called before other threads exist.
void set_program_call(std::string call);

/// The last part of program_call(): `regroup`.
std::string_view program_name();

/// Prints a message on stderr, as one bounded line of plain text after program_name() and ": ".
void print_error(std::string_view message);

/// Whether all that was printed to standard output so far was written.
bool output_complete();

/// The columns of `text` in a terminal, at most: characters may be two wide.
std::size_t width_of(std::string_view text);

/// `text`, shortened with an ellipsis to `columns` if it is wider.
std::string fitted(std::string_view text, std::size_t columns);

/// `text` in lines of at most `columns`, if no word is longer. The first line is printed at the
/// column `begin`; the others are indented.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent,
                   std::size_t begin = 0);

/// The last line of a terminal, redrawn as work goes on, in at most one row; nothing if standard
/// output is no terminal.
class TerminalLine {
 public:
  TerminalLine();

  bool shown() const { return shown_; }

  /// Replaces what was drawn before, with `middle` shortened if there is no room.
  void draw(std::string_view front, std::string_view middle, std::string_view back);

  /// Empties the line.
  void clear();

  /// Prints a line that stays, folded between words.
  void say(std::string_view text);

 private:
  bool shown_;
  std::size_t drawn_ = 0;  // columns
};

}  // namespace regroup
