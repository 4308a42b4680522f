// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/text/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"

namespace regroup {

static constexpr std::size_t most_bytes = 1900;  // of a message

void open_console() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() returns the lowest free descriptor. In the wrong direction, reads and writes fail.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print_out_text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

static std::string& call() {
  static std::string text = "regroup";
  return text;
}

const std::string& program_call() { return call(); }

void set_program_call(std::string text) { call() = std::move(text); }

std::string_view program_name() {
  const std::string_view text = call();
  return text.substr(text.rfind('/') + 1);  // 0 if there is none
}

void print_error(std::string_view message) {
  // The message may quote input: very long words, or control sequences.
  const std::string line = fmt::format("{}: {}\n", program_name(),
                                       one_line(shortened(std::string(message), most_bytes)));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

bool output_complete() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

namespace {

bool begins_character(char byte) { return (byte & 0xC0) != 0x80; }

/// Returns the columns of the character that begins with `byte`; many are two wide from U+3000 on.
std::size_t columns_from(char byte) { return static_cast<unsigned char>(byte) >= 0xE3 ? 2 : 1; }

constexpr std::string_view ellipsis = "…";

}  // namespace

std::size_t width_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char byte : text) {
    if (begins_character(byte)) columns += columns_from(byte);
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns) {
  if (width_of(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t taken = width_of(ellipsis);
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!begins_character(text[end])) continue;
    taken += columns_from(text[end]);
    if (taken > columns) break;
  }
  return std::string(text.substr(0, end)) + std::string(ellipsis);
}

std::string folded(std::string_view text, std::size_t columns, std::size_t indent,
                   std::size_t begin) {
  std::string result;
  std::size_t taken = 0;  // of the last line
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t width = width_of(word);
    if (result.empty()) {
      taken = begin + width;
    } else if (taken + 1 + width <= columns) {
      result += ' ';
      taken += 1 + width;
    } else {
      result += '\n' + std::string(indent, ' ');
      taken = indent + width;
    }
    result += word;
  }
  return result;
}

namespace {

constexpr std::size_t usual_width = 80;
constexpr std::size_t indent = 4;

/// Some terminals, such as those of consoles and containers, do not know their width.
std::size_t width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* told = std::getenv("COLUMNS");
  const auto columns = parse<int>(told == nullptr ? "" : told);
  return columns && *columns > 0 ? static_cast<std::size_t>(*columns) : usual_width;
}

/// A dumb terminal prints control sequences as text.
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
  // Wrapping is disabled meanwhile, so that the text does not need a second row.
  print_out("\x1b[?7l{}\x1b[?7h", text);
  std::fflush(stdout);
}

void TerminalLine::clear() {
  if (!shown_) return;
  // A terminal that has become narrower has wrapped the line.
  const std::size_t rows_above = drawn_ == 0 ? 0 : (drawn_ - 1) / width();
  if (rows_above > 0) {
    print_out("\x1b[{}A\r\x1b[J", rows_above);
  } else {
    print_out("\r\x1b[K");
  }
  drawn_ = 0;
}

void TerminalLine::say(std::string_view text) {
  clear();
  print_out("{}\n", shown_ ? folded(text, width() - 1, indent) : std::string(text));
  std::fflush(stdout);
}

}  // namespace regroup
