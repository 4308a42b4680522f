// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/last_words.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace regroup {
namespace {

std::string& file() {
  static std::string name;
  return name;
}

/// In one call, so that lines of several processes do not mix. What cannot be written is lost.
void write_line(int target, const std::string& line) {
  [[maybe_unused]] const ssize_t written = write(target, line.data(), line.size());
}

// What a signal handler may read.
std::array<char, 4096> mark{};

extern "C" void mark_and_end(int number) {
  if (const int made = open(mark.data(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666); made >= 0) {
    close(made);
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

std::string last_words_file(const std::string& outcome_file) { return outcome_file + ".error"; }

std::string start_file(const std::string& outcome_file) { return outcome_file + ".start"; }

std::string told_to_end_file(const std::string& outcome_file) { return outcome_file + ".sigterm"; }

void tell_when_told_to_end(const std::string& outcome_file) {
  const std::string name = told_to_end_file(outcome_file);
  if (name.size() >= mark.size()) return;
  std::ranges::copy(name, mark.begin());
  std::signal(SIGTERM, mark_and_end);
}

std::string news_file(const std::string& outcome_file) { return outcome_file + ".news"; }

void keep_last_words_in(std::string name) { file() = std::move(name); }

void say_last(std::string_view why) {
  // One line is what a row of results has room for. MPICH gives the reason in the last of many.
  std::string line = fmt::format("regroup: {}", why);
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  if (const int target =
          file().empty() ? -1
                         : open(file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      target >= 0) {
    write_line(target, line);
    close(target);
  }
  write_line(STDERR_FILENO, line);
}

}  // namespace regroup
