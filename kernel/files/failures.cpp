// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/failures.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace regroup {
namespace {

std::string& file() {
  static std::string name;
  return name;
}

std::string& file_when_continued() {
  static std::string name;
  return name;
}

/// Writes in one call, so that lines of several processes do not mix. Ignores errors.
void write_line(int target, std::string_view line) {
  [[maybe_unused]] const ssize_t written = write(target, line.data(), line.size());
}

/// Appends `line` to the failure file, if there is one. May be called by a signal handler.
void keep_line(std::string_view line) {
  if (file().empty()) return;
  const int target = open(file().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (target < 0) return;
  write_line(target, line);
  close(target);
}

extern "C" void note_that_continued(int) {
  close(open(file_when_continued().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
}

extern "C" void say_so_and_end(int number) {
  keep_line(terminated_line);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

}  // namespace

std::string failure_file(const std::string& outcome_file) { return outcome_file + ".error"; }

std::string start_file(const std::string& outcome_file) { return outcome_file + ".start"; }

std::string progress_file(const std::string& outcome_file) { return outcome_file + ".news"; }

std::string continued_file(const std::string& outcome_file) { return outcome_file + ".continued"; }

void log_failures_of(const std::string& outcome_file) {
  file() = failure_file(outcome_file);
  file_when_continued() = continued_file(outcome_file);
  for (const int number : ending_signals) std::signal(number, say_so_and_end);
  std::signal(SIGCONT, note_that_continued);
  std::signal(SIGXFSZ, SIG_IGN);
}

void report_details(std::string_view lines) {
  keep_line(lines);
  write_line(STDERR_FILENO, lines);
}

void report_failure(std::string_view why) {
  // A row of results can only store one line. MPICH gives the reason in the last of many lines.
  std::string line = fmt::format("regroup: {}", why);
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  keep_line(line);
  write_line(STDERR_FILENO, line);
}

}  // namespace regroup
