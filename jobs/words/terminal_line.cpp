// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/words/terminal_line.hpp"

#include <unistd.h>

#include <cstdio>

#include "jobs/words/console.hpp"

namespace regroup {

TerminalLine::TerminalLine() : shown_(isatty(STDOUT_FILENO) != 0) {}

void TerminalLine::draw(std::string_view text) const {
  if (!shown_) return;
  clear();
  tell_text(text);
  std::fflush(stdout);
}

void TerminalLine::clear() const {
  if (shown_) tell("\r\x1b[K");
}

}  // namespace regroup
