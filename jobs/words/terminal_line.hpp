// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace regroup {

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
