// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "jobs/launch/launch.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/last_words.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/files/write_file.hpp"

namespace regroup {
namespace {

/// The line of a task's output that tells best what went wrong: our own, or else the first.
std::string reason_in(const std::string& log) {
  constexpr std::size_t most_bytes = 1000;
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("regroup: ")) return one_line(shortened(line.substr(9), most_bytes));
    const bool says_something = line.find_first_not_of(" =\t") != std::string::npos;
    if (first.empty() && says_something) first = line;
  }
  return one_line(shortened(first, most_bytes));
}

/// What the ranks of a task said before they ended; where the launcher lost it, the log gets it.
std::string last_words(const std::string& outcome_file, const std::string& log_file) {
  const std::string said = read_file(last_words_file(outcome_file)).value_or("");
  const std::string reason = reason_in(said);
  if (one_line(read_file(log_file).value_or("")).find(reason) == std::string::npos) {
    std::ofstream(log_file, std::ios::app) << said;
  }
  return reason;
}

/// The launcher's exit code when a rank was ended by SIGKILL: MPICH hands on the signal's number,
/// Open MPI and shells add 128.
bool says_killed(const Ending& ending) {
  if (ending.kind == Ending::Kind::signalled) return ending.code == 9;
  return ending.code == 9 || ending.code == 128 + 9;
}

Report judged(const Series& series, std::size_t place, const Ending& ending,
              const std::string& outcome_file, const std::string& log_file) {
  const std::string last = last_words(outcome_file, log_file);
  Ended ended{Status::ok, "", ending.wall_s};
  if (ending.kind == Ending::Kind::timed_out) {
    ended.status = Status::timeout;
    ended.message = fmt::format("not done after {:g} s{}{}", series.task(place).timeout_s,
                                last.empty() ? "" : ": ", last);
    return series.report(place, ended, "");
  }
  std::string refused;  // although it ended as if all were well
  if (ending.kind == Ending::Kind::exited && ending.code == 0) {
    const std::string outcome = read_file(outcome_file).value_or("");
    try {
      return series.report(place, ended, outcome);
    } catch (const std::exception& error) {
      refused = outcome.empty()
                    ? ", but no outcome was written"
                    : fmt::format(", but its outcome cannot be: {}", one_line(error.what()));
    }
  }
  ended.status = says_killed(ending) ? Status::killed : Status::failed;
  const std::string reason = last.empty() ? reason_in(read_file(log_file).value_or("")) : last;
  const bool exited = ending.kind == Ending::Kind::exited;
  ended.message = fmt::format("{} {}{}{}{}", exited ? "exit code" : "signal", ending.code, refused,
                              reason.empty() ? "" : ": ", reason);
  return series.report(place, ended, "");
}

}  // namespace

std::optional<Report> execute(const Series& series, std::size_t place, const std::string& logs,
                              const std::function<void()>& tick) {
  const Task task = series.task(place);
  if (!task.unsupported.empty()) {
    return series.report(place, {Status::unsupported, task.unsupported, 0}, "");
  }
  const std::string task_file = logs + "/" + task.id + ".scenario.json";
  const std::string outcome_file = logs + "/" + task.id + ".outcome.json";
  const std::string log_file = logs + "/" + task.id + ".log";
  std::filesystem::remove(outcome_file);
  std::filesystem::remove(last_words_file(outcome_file));
  std::filesystem::remove(log_file);
  replace_file(task_file, task.json + "\n");

  const MpiJob job = series.job(place, task_file, outcome_file, logs);
  const Ending ending = launch(job.command, job.environment, log_file, task.timeout_s, tick);
  std::optional<Report> report;
  if (ending.kind != Ending::Kind::interrupted) {
    report = judged(series, place, ending, outcome_file, log_file);
  }
  std::filesystem::remove(outcome_file);
  std::filesystem::remove(last_words_file(outcome_file));
  if (!report || report->ended.status != Status::ok) return report;
  std::filesystem::remove(task_file);
  if (std::filesystem::file_size(log_file) == 0) std::filesystem::remove(log_file);
  return report;
}

}  // namespace regroup
