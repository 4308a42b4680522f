// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/execute.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "driver/config/experiment.hpp"
#include "driver/execute/allocation.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/loss_board.hpp"
#include "driver/execute/mpi_job.hpp"
#include "driver/execute/rank_news.hpp"
#include "kernel/chains/state_files.hpp"
#include "kernel/files/failures.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/rank_records.hpp"
#include "kernel/places/host.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"
#include "library/resolve.hpp"
#include "library/version.hpp"
#include "regroup/groups.hpp"
#include "regroup/outcome.hpp"

namespace regroup {
namespace {

std::string result_of_run(const Record& record) {
  std::string result = record.makespan_s < 1 ? in_fitting_unit(record.makespan_s)
                                             : fmt::format("{:.3f} s", record.makespan_s);
  if (record.ideal_s > 0) {
    result += fmt::format(", {} × ideal", rounded(record.makespan_s / record.ideal_s, 3));
  }
  const std::string seen = text_of(record.convergence);
  if (!seen.empty()) result += ", " + seen;
  if (record.outcome.enough_items > 0) {
    result += fmt::format(" after {} items", record.outcome.enough_items);
  } else if (record.task.run().may_end_early()) {
    result += ", which is not enough";
  }
  if (record.chains_failed > 0) {
    result += fmt::format(", {} failed",
                          counted(static_cast<std::size_t>(record.chains_failed), "chain"));
  }
  return result;
}

/// Returns the medians among the figures: "create 1.25 ms, free 3.10 µs".
std::string medians(const Record& record) {
  constexpr std::string_view ending = "_median_s";
  std::string text;
  for (const auto& [name, value] : record.outcome.figures) {
    if (!name.ends_with(ending)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        name.substr(0, name.size() - ending.size()), in_fitting_unit(value));
  }
  return text.empty() ? "ok" : text;
}

/// Throws if no execution of the run can produce `outcome`.
void check_run(const Task& task, const Outcome& outcome) {
  if (const auto failure = first_impossible(task, outcome.failures)) {
    throw std::invalid_argument(fmt::format("failure {} of its chains cannot be", *failure));
  }
  if (const auto wrong = first_violation(task, outcome)) {
    throw std::invalid_argument(*wrong);
  }
  std::vector<RankRange> lost;
  for (const LostRank& one : outcome.lost) lost.push_back({one.rank, one.rank});
  const RankSet missing = loss_statistics(outcome.lives).lost;
  if (!RankSet::of(std::move(lost)).contains(missing)) {
    throw std::invalid_argument(fmt::format(
        "a rank is in no group after a loss, but is not lost: one of {}", text_of(missing)));
  }
  if (const auto report = first_impossible(task, outcome.reports)) {
    throw std::invalid_argument(fmt::format("report {} of its chains cannot be", *report));
  }
}

/// Sets the placement in `outcome` and returns its file. Throws if it is impossible.
PlaceFile find_placement(const Task& task, Outcome& outcome) {
  const bool real = task.is_real();
  const std::string wrong = real ? complaint_about(outcome.place, task.ranks)
                            : outcome.place.nodes.empty() ? ""
                                                          : "nodes of what was simulated";
  if (!wrong.empty()) throw std::invalid_argument(wrong);
  const NodeMap nodes = real ? node_map_of(outcome.place) : simulated_nodes_of(task);
  if (real) {
    const std::string unlike = node_mismatch(task.ranks_per_node, task.ranks, nodes);
    if (!unlike.empty()) throw std::invalid_argument(unlike);
  }
  PlaceFile file = place_file(outcome.place);
  outcome.where = placement_of(outcome.place);
  outcome.where.placement = file.placement;
  outcome.where.groups_across_nodes = groups_across(nodes, outcome.lives);
  return file;
}

}  // namespace

Report report_of(Finished finished) {
  Report report{record_of(std::move(finished)), {}, {}, {}};
  const Record& record = report.record;
  if (record.ok()) report.result = record.task.is_run() ? result_of_run(record) : medians(record);
  return report;
}

namespace {

/// Returns the report of a task that did not end well.
Report report_of(const Task& task, const Ending& ending) {
  return report_of(Finished{task, ending, {}});
}

/// Returns the report of a task that ended well; `outcome` is the text that rank 0 wrote. Throws if
/// it is incomplete or impossible.
Report report_of(const Task& task, const Ending& ending, const std::string& outcome) {
  Finished finished{task, ending, outcome_from_json(outcome)};
  if (task.is_run()) check_run(task, *finished.outcome);
  PlaceFile place = find_placement(task, *finished.outcome);
  Report report = report_of(std::move(finished));
  report.place = std::move(place);
  report.warning = waiting_warning(task, report.record.outcome);
  if (!ending.message.empty()) {
    report.warning = ending.message;
    if (ending.message == hung_at_its_end) report.warning += ": they were killed";
  }
  return report;
}

std::string reason(const std::string& line) {
  constexpr std::size_t most_bytes = 1000;
  return one_line(shortened(line, most_bytes));
}

/// Returns the first message of a rank in a task's output; empty if there is none. Notices that a
/// rank was told to end do not count.
std::string said_by_a_rank(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("regroup: ") && line + "\n" != terminated_line)
      return reason(line.substr(9));
  }
  return {};
}

/// Returns the first line of a task's output that may be the cause of its end.
std::string first_line(const std::string& log, bool notices = false) {
  return reason(first_reason(log, notices));
}

/// Returns whether a line that ranks wrote to their failure file, `said`, is missing in the log.
bool lacks_a_line(const std::string& log, const std::string& said) {
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line + "\n" != terminated_line && log.find(line) == std::string::npos) return true;
  }
  return false;
}

/// Returns the first message of the ranks. Adds messages that the launcher lost to the log.
std::string last_words(const std::string& outcome_file, const std::string& log_file) {
  const std::string said = read_file(failure_file(outcome_file)).value_or("");
  const std::string log = read_file(log_file).value_or("");
  const std::string words = said_by_a_rank(said);
  if (lacks_a_line(log, said)) std::ofstream(log_file, std::ios::app) << said;
  return words.empty() ? said_by_a_rank(log) : words;
}

/// Returns whether the launcher reports a rank that was killed by SIGKILL: MPICH passes on the
/// signal's number, Open MPI and shells add 128.
bool says_killed(const Exit& ending) {
  if (ending.kind == Exit::Kind::signalled) return ending.code == 9;
  return ending.code == 9 || ending.code == 128 + 9;
}

/// Returns whether the first message of the ranks is that one was told to end, as when a scheduler
/// ends the job. Ranks that missed the signal may then report all kinds of errors.
bool was_told_to_end(const std::string& outcome_file) {
  return read_file(failure_file(outcome_file)).value_or("").starts_with(terminated_line);
}

/// Returns whether one of `ending_signals` ended a rank before anything else went wrong. The exit
/// code alone does not show it: MPICH combines the codes of hosts and ranks with a bitwise or, so
/// that 6 and 9 give 15. It kills the other ranks with SIGKILL, and then 4.2 may lose the code of
/// the rank that ended first, so that 9 or 0 remains. 137 does not count: other launchers return
/// it, and send SIGTERM, after a rank was killed.
bool was_taken_away(const Exit& ending, const std::string& outcome_file) {
  const int number = ending.code > 128 ? ending.code - 128 : ending.code;
  bool possible = std::ranges::count(ending_signals, number) > 0;
  if (ending.kind == Exit::Kind::exited) possible |= ending.code == 9 || ending.code == 0;
  return possible && was_told_to_end(outcome_file);
}

constexpr const char* taken_away = "ended from outside, by a signal";

std::string with_reason(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : fmt::format("{}: {}", what, reason);
}

/// The time after which missing ranks are reported.
double late_start_s(const Task& task) { return 4 + 0.005 * task.ranks; }

/// Returns the current time in UTC; empty for simulated tasks, for which it means nothing.
std::string time_of_launch(const Task& task) {
  if (!task.is_real()) return {};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Executed judged(const Task& task, const Configuration& configuration, const Exit& ending,
                const std::string& launched, const TaskFiles& files, const std::string& log_file) {
  const std::string& outcome_file = files.outcome;
  const std::string last = last_words(outcome_file, log_file);
  const std::string outcome =
      file_exists_by_now(outcome_file) ? read_file(outcome_file).value_or("") : "";
  const bool began = ending.began || !last.empty() || !outcome.empty();
  const auto reason = [&] {
    return last.empty() ? first_line(read_file(log_file).value_or(""), !began) : last;
  };
  const bool timed_out = ending.kind == Exit::Kind::timed_out;
  const bool hangs = timed_out && ending.done;
  const bool well = ending.kind == Exit::Kind::exited && ending.code == 0;
  const bool stood_still = file_exists(continued_file(outcome_file));
  Ending ended{.message = hangs         ? std::string(hung_at_its_end)
                          : stood_still ? std::string(suspended)
                                        : "",
               .wall_s = ending.wall_s,
               .began = launched,
               .events = event_detail(configuration.events, task.ranks)};
  const std::string other = read_file(start_file(outcome_file)).value_or("");
  if (!other.empty() && other != program_version().version) {
    ended.status = Status::failed;
    ended.message =
        fmt::format("the program of the ranks has another version, {}; this is {}: rebuild both",
                    one_line(other), program_version().version);
    return {report_of(task, ended)};
  }
  if (well && outcome.empty() && last.starts_with(unsupported_prefix)) {
    return {report_of(
        task, {.status = Status::unsupported, .message = last.substr(unsupported_prefix.size())})};
  }
  if (well && outcome.empty() && last.starts_with(failed_prefix)) {
    ended.status = Status::failed;
    ended.message = last.substr(failed_prefix.size());
    return {report_of(task, ended)};
  }
  std::string refused;  // why the outcome was rejected, although the task seemed to end well
  if (well || hangs) {
    try {
      return {report_of(task, ended, outcome)};
    } catch (const std::exception& error) {
      refused = outcome.empty()
                    ? ", but wrote no outcome"
                    : fmt::format(", but its outcome cannot be: {}", one_line(error.what()));
    }
  }
  // The launcher may wait forever for ranks that had not started, and so missed the signal.
  if (timed_out && ending.taken) return {{}, taken_away};
  if (timed_out && !began) {
    const double patience = configuration.start_timeout_s;
    std::string why = reason();
    if (task.is_real() && patience > late_start_s(task)) {
      why = with_reason(start_news(configuration, task, rank_records_file(outcome_file)), why);
    }
    return {{}, with_reason(fmt::format("never began: not started within {:g} s", patience), why)};
  }
  if (timed_out) {
    ended.status = Status::timeout;
    const Positions positions = positions_of(task, rank_records_file(outcome_file));
    if (!positions.all.empty()) {
      std::ofstream(log_file, std::ios::app)
          << "\nState of the groups shortly before the time limit:\n"
          << positions.all;
    }
    ended.message = hangs ? std::string(hung_at_its_end) + refused
                          : with_reason(fmt::format("not finished after {:g} s", task.timeout_s),
                                        last.empty() ? positions.summary : last);
    return {report_of(task, ended)};
  }
  const std::string code =
      fmt::format("{} {}", ending.kind == Exit::Kind::exited ? "exit code" : "signal", ending.code);
  if (!well && last.empty() && !outcome.empty()) {
    // Rank 0 writes the outcome when all work is done, and a rank that detects an error reports it;
    // so the exit code is due to the end of the processes or of the launcher.
    ended.message = fmt::format("{}{}", failed_at_its_end, with_reason(code, reason()));
    try {
      return {report_of(task, ended, outcome)};
    } catch (const std::exception& error) {
      ended.message.clear();
      refused = fmt::format(", and its outcome cannot be: {}", one_line(error.what()));
    }
  }
  const std::string how = with_reason(code + refused, reason());
  if (!began) return {{}, "never began: " + how};
  if (was_taken_away(ending, outcome_file)) return {{}, taken_away};
  ended.status = says_killed(ending) ? Status::killed : Status::failed;
  ended.message = how;
  return {report_of(task, ended)};
}

/// Reports on ranks whose start takes long; the first report is also a note.
class StartNews {
 public:
  StartNews(const Configuration& configuration, const Task& task, std::string records,
            const Note& note)
      : configuration_(configuration), task_(task), records_(std::move(records)), note_(note) {}

  /// Returns the current report, at most one second old.
  std::string look() {
    const auto now = std::chrono::steady_clock::now();
    const double elapsed_s = std::chrono::duration<double>(now - began_).count();
    if (!task_.is_real() || elapsed_s < late_start_s(task_) || now < next_) return news_;
    const bool is_first = news_.empty();
    news_ = fmt::format("run has not begun after {:.0f} s: {}", elapsed_s,
                        start_news(configuration_, task_, records_));
    if (is_first) note_(news_);
    next_ = now + std::chrono::seconds(1);
    return news_;
  }

 private:
  const Configuration& configuration_;
  const Task& task_;
  const std::string records_;
  const Note& note_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_;
  std::string news_;
};

/// Returns why nothing can be launched any more on the hosts of the task; empty if something can.
/// MPI may detect a lost host long before its scheduler does; its effect on a run is no result.
std::string lost_hosts(const Configuration& configuration, const Task& task, const MpiJob& job,
                       const std::string& log_file, const Tick& tick) {
  constexpr double patience_s = 30;
  std::vector<std::string> nothing = launcher_words(configuration, task);
  nothing.push_back("true");
  const Patience patience{patience_s, patience_s, patience_s, [] { return false; },
                          [] { return false; }};
  const std::string log = log_file + ".hosts";
  const Exit ending = launch(nothing, job.environment, log, patience, [&] { tick(""); });
  const std::string told = first_line(read_file(log).value_or(""), true);
  std::filesystem::remove(log);
  if (ending.kind == Exit::Kind::exited && ending.code == 0) return {};
  return with_reason("afterwards, nothing could be launched there", told);
}

}  // namespace

Executed execute(const Configuration& configuration, const Task& task, const std::string& logs,
                 const Tick& tick, const Note& note) {
  const LaunchedEngine& engine = engine_of(task);
  if (const std::string lacking = engine.lacks(task); !lacking.empty()) {
    return {report_of(task, {.status = Status::unsupported, .message = lacking})};
  }
  // Absolute, since a launcher, walker or library may change the working directory of ranks.
  const std::string folder = std::filesystem::absolute(logs);
  const std::string stem = folder + "/" + fingerprint(task);
  const TaskFiles files{stem + ".task.json", stem + ".outcome.json", folder};
  const std::string log_file = stem + ".log";
  std::optional<LossBoard> losses;
  if (task.is_run() && task.run().recovers()) losses.emplace(files.outcome, task.ranks);
  const auto remove_what_ranks_wrote = [&] {
    if (losses) losses->remove();
    for (const std::string& file :
         {files.outcome, Draft::beside(files.outcome), failure_file(files.outcome),
          progress_file(files.outcome), start_file(files.outcome), continued_file(files.outcome),
          rank_records_file(files.outcome)}) {
      std::filesystem::remove(file);
    }
  };
  remove_what_ranks_wrote();
  std::filesystem::remove(log_file);
  replace_file(files.task, to_json(with_absolute_files(task)) + "\n");
  const std::string states = states_beside(files.task);
  if (task.is_run() && task.run().writes_states()) std::filesystem::create_directories(states);

  const MpiJob job = engine.job(configuration, task, files);
  const bool reports = task.is_run() && task.run().report_every > 0;
  const std::string news = reports ? progress_file(files.outcome) : "";
  bool started = false;
  StartNews missing(configuration, task, rank_records_file(files.outcome), note);
  const auto look = [&] {
    if (losses) {
      if (const std::string lost = losses->look(); !lost.empty()) note(lost);
    }
    if (!started) return tick(missing.look());
    tick(news.empty() ? "" : read_file(news).value_or(""));
  };
  const Patience patience{configuration.start_timeout_s,
                          task.timeout_s,
                          configuration.end_timeout_s,
                          [&, mark = start_file(files.outcome)] {
                            started = started || file_exists_by_now(mark);
                            return started;
                          },
                          [&] { return file_exists_by_now(files.outcome); },
                          [&] { return was_told_to_end(files.outcome); },
                          std::chrono::milliseconds(losses ? 20 : 100)};
  const std::string launched = time_of_launch(task);
  Exit ending = launch(job.command, job.environment, log_file, patience, look);
  Executed executed;
  if (ending.kind != Exit::Kind::interrupted) {
    // Survivors skip MPI_Finalize, which would wait for lost ranks, so the code means no failure.
    if (losses && losses->any() && ending.kind == Exit::Kind::exited &&
        file_exists_by_now(files.outcome)) {
      ending.code = 0;
    }
    executed = judged(task, configuration, ending, launched, files, log_file);
  }
  const Ending* ended = executed.report ? &executed.report->record.ending : nullptr;
  const bool ended_badly =
      ended != nullptr && (ended->status == Status::killed || ended->status == Status::failed);
  if (ended_badly && !job_id().empty() && task.is_real()) {
    const std::string lost = lost_hosts(configuration, task, job, log_file, tick);
    if (interrupted()) {
      executed = {};
    } else if (!lost.empty()) {
      executed = {{}, fmt::format("lost its hosts: {}; {}", ended->message, lost)};
    }
  }
  remove_what_ranks_wrote();
  if (!executed.report) return executed;
  const Status status = executed.report->record.ending.status;
  if (status != Status::ok && status != Status::unsupported) return executed;
  std::filesystem::remove(files.task);
  const bool kept = status == Status::ok && task.is_run() && task.run().keeps_states();
  if (!kept) std::filesystem::remove_all(states);
  if (status == Status::unsupported) std::filesystem::remove(log_file);
  if (!file_exists(log_file)) return executed;
  if (std::filesystem::file_size(log_file) == 0) std::filesystem::remove(log_file);
  return executed;
}

}  // namespace regroup
