// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/execute.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "jobs/launch/engine.hpp"
#include "jobs/launch/launch.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/chains/state_files.hpp"
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

Report judged(const Scenario& task, const Ending& ending, const std::string& outcome_file,
              const std::string& log_file) {
  const std::string last = last_words(outcome_file, log_file);
  Ended ended{Status::ok, "", ending.wall_s};
  if (ending.kind == Ending::Kind::timed_out) {
    ended.status = Status::timeout;
    ended.message =
        fmt::format("not done after {:g} s{}{}", task.timeout_s, last.empty() ? "" : ": ", last);
    return report_of(task, ended, "");
  }
  std::string refused;  // although it ended as if all were well
  if (ending.kind == Ending::Kind::exited && ending.code == 0) {
    const std::string outcome = read_file(outcome_file).value_or("");
    try {
      return report_of(task, ended, outcome);
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
  return report_of(task, ended, "");
}

}  // namespace

std::optional<Report> execute(const Configuration& configuration, const Scenario& task,
                              const std::string& logs, const Tick& tick) {
  const Execution& on_engine = execution(task.engine);
  if (const std::string lacking = on_engine.lacks(task); !lacking.empty()) {
    return report_of(task, {Status::unsupported, lacking, 0}, "");
  }
  const std::string stem = logs + "/" + fingerprint(task);
  const TaskFiles files{stem + ".task.json", stem + ".outcome.json", logs};
  const std::string log_file = stem + ".log";
  std::filesystem::remove(files.outcome);
  std::filesystem::remove(last_words_file(files.outcome));
  std::filesystem::remove(log_file);
  std::filesystem::remove(news_file(files.outcome));
  replace_file(files.task, to_json(task) + "\n");
  const std::string states = states_beside(files.task);
  if (task.save_every > 0) std::filesystem::create_directories(states);

  const MpiJob job = on_engine.job(configuration, task, files);
  const std::string news = task.report_every > 0 ? news_file(files.outcome) : "";
  const auto look = [&] { tick(news.empty() ? "" : read_file(news).value_or("")); };
  const Ending ending = launch(job.command, job.environment, log_file, task.timeout_s, look);
  std::optional<Report> report;
  if (ending.kind != Ending::Kind::interrupted) {
    report = judged(task, ending, files.outcome, log_file);
  }
  std::filesystem::remove(files.outcome);
  std::filesystem::remove(last_words_file(files.outcome));
  std::filesystem::remove(news_file(files.outcome));
  if (!report || report->ended.status != Status::ok) return report;
  std::filesystem::remove(files.task);
  std::filesystem::remove_all(states);
  if (std::filesystem::file_size(log_file) == 0) std::filesystem::remove(log_file);
  return report;
}

}  // namespace regroup
