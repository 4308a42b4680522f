// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/words/terminal_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jobs/words/console.hpp"
#include "jobs/words/terminal_text.hpp"
#include "kernel/numbers/parse.hpp"

namespace regroup {
namespace {

constexpr std::size_t usual_width = 80;
constexpr std::size_t indent = 4;

/// Some terminals do not know how wide they are, as those of consoles and containers.
std::size_t width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* told = std::getenv("COLUMNS");
  const auto columns = parse<int>(told == nullptr ? "" : told);
  return columns && *columns > 0 ? static_cast<std::size_t>(*columns) : usual_width;
}

/// Such a terminal takes our sequences for text.
bool is_dumb() {
  const char* kind = std::getenv("TERM");
  return kind != nullptr && std::string_view(kind) == "dumb";
}

}  // namespace

TerminalLine::TerminalLine() : shown_(isatty(STDOUT_FILENO) != 0 && !is_dumb()) {}

void TerminalLine::draw(std::string_view front, std::string_view middle, std::string_view back) {
  if (!shown_) return;
  clear();
  const std::size_t room = width() - 1;  // in the last column a terminal may wrap
  const std::size_t fixed = width_of(front) + width_of(back);
  std::string text(front);
  text += fitted(middle, room > fixed ? room - fixed : 0);
  text = fitted(text += back, room);
  drawn_ = width_of(text);
  // Wider than we know it is not: it is told not to wrap meanwhile.
  tell("\x1b[?7l{}\x1b[?7h", text);
  std::fflush(stdout);
}

void TerminalLine::clear() {
  if (!shown_) return;
  // A terminal that was made narrower has wrapped what was in the line.
  const std::size_t rows_above = drawn_ == 0 ? 0 : (drawn_ - 1) / width();
  if (rows_above > 0) {
    tell("\x1b[{}A\r\x1b[J", rows_above);
  } else {
    tell("\r\x1b[K");
  }
  drawn_ = 0;
}

void TerminalLine::say(std::string_view text) {
  clear();
  tell("{}\n", shown_ ? folded(text, width() - 1, indent) : std::string(text));
  std::fflush(stdout);
}

}  // namespace regroup
