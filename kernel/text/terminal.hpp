// SPDX-License-Identifier: BSD-3-Clause
//
// What the command says. It may be started without standard streams, its output may go to a full
// disk, and who reads it may leave: the runs go on all the same, and the exit code tells.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace regroup {

/// Opens those of the standard streams that the caller has closed, so that no file of ours takes
/// their place; writing to them fails. Has writing to a pipe without a reader fail, too, instead of
/// ending us. To be called first.
void open_console();

/// Prints to standard output. Never fails: see output_complete().
void print_out_text(std::string_view text);

template <class... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_out_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Prints a message on stderr, in a line of plain text that begins with "regroup: " and has an end.
void print_error(std::string_view message);

/// Whether all that was printed to standard output so far was written.
bool output_complete();

// Texts in UTF-8 as they stand in a terminal.

/// How many columns of a terminal `text` takes, at most: characters may be two wide.
std::size_t width_of(std::string_view text);

/// `text` or, where it takes more than so many columns, what fits of its beginning, with an
/// ellipsis.
std::string fitted(std::string_view text, std::size_t columns);

/// `text` with an end of line in place of blanks, so that each line takes at most so many columns
/// where no word is longer; those after the first begin with `indent` blanks.
std::string folded(std::string_view text, std::size_t columns, std::size_t indent);

/// The last line of a terminal, which is drawn anew as work goes on; where standard output is none,
/// nothing. It never takes more than one row: the terminal is asked how wide it is each time.
class TerminalLine {
 public:
  TerminalLine();

  bool shown() const { return shown_; }

  /// Puts a text in place of what was drawn before. Where there is no room for all of it, its
  /// `middle` is shortened.
  void draw(std::string_view front, std::string_view middle, std::string_view back);

  /// Leaves the line empty, for what is said next.
  void clear();

  /// Prints a line that stays, folded between its words where the terminal is narrow.
  void say(std::string_view text);

 private:
  bool shown_;
  std::size_t drawn_ = 0;  // columns
};

}  // namespace regroup
