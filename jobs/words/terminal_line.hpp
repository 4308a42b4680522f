// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace regroup {

/// The last line of a terminal, which is drawn anew as work goes on; where standard output is none,
/// nothing.
class TerminalLine {
 public:
  TerminalLine();

  bool shown() const { return shown_; }

  /// Puts `text` in place of what was drawn before.
  void draw(std::string_view text) const;

  /// Leaves the line empty, for what is said next.
  void clear() const;

 private:
  bool shown_;
};

}  // namespace regroup
