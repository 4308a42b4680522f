// SPDX-License-Identifier: BSD-3-Clause
#include "driver/execute/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

#include "driver/execute/engines.hpp"
#include "driver/execute/execute.hpp"
#include "driver/execute/extension.hpp"
#include "driver/execute/launch.hpp"
#include "driver/execute/predict.hpp"
#include "driver/execute/remarks.hpp"
#include "driver/execute/simulate_all.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/repeated.hpp"
#include "driver/store/results.hpp"
#include "kernel/files/files.hpp"
#include "kernel/places/host.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/shell_words.hpp"
#include "kernel/text/terminal.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/numbers.hpp"

namespace fs = std::filesystem;

namespace regroup {
namespace {

/// The placements of ranks, by number of ranks and requested placement: times of different
/// placements must not be mixed.
class Placements {
 public:
  /// Adds the placement of `record`, which an earlier sweep stored.
  void know(const Record& record) {
    if (!record.outcome.where.placement.empty())
      known_of(record.task).insert(record.outcome.where.placement);
  }

  /// Adds the placement of `record`, which is new in `directory`. Prints a message, only once, if
  /// such ranks had another placement before.
  void note(const Record& record, const std::string& directory) {
    if (record.outcome.where.placement.empty()) return;
    std::set<std::string>& known = known_of(record.task);
    const std::string other = known.empty() ? "" : *known.begin();
    if (!known.insert(record.outcome.where.placement).second || other.empty() || said_) return;
    said_ = true;
    print_error(
        fmt::format("{} ranks have another placement than in earlier rows: see places/{}.yaml and "
                    "places/{}.yaml in {}; tables and plots list them separately",
                    record.task.ranks, other, record.outcome.where.placement, directory));
  }

 private:
  std::set<std::string>& known_of(const Task& task) {
    return known_[fmt::format("{} {} {} {}", task.ranks, task.ranks_per_node, task.rank_order,
                              task.rank_order == "random" ? task.seed : 0)];
  }

  std::map<std::string, std::set<std::string>> known_;
  bool said_ = false;
};

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Shows the progress of a sweep: on a terminal one line that is redrawn with the estimated time
/// left, otherwise a line for each task that ended.
class Progress {
 public:
  /// `predicted_s`: the predicted wall time of each task. `quiet`: prints only tasks that did not
  /// end well, and messages.
  Progress(std::vector<double> predicted_s, bool quiet)
      : quiet_(quiet),
        predicted_s_(std::move(predicted_s)),
        predicted_left_s_(std::accumulate(predicted_s_.begin(), predicted_s_.end(), 0.0)) {}

  void begin(const std::string& description) {
    what_ = description;
    began_s_ = now_s();
    tick();
  }

  /// `news`: progress of the run, if known.
  void tick(const std::string& news = "") {
    if (quiet_) return;
    line_.draw(fmt::format("[{}/{}] ", task_ + 1, predicted_s_.size()),
               fmt::format("{}{}{}", what_, news.empty() ? "" : ": ", news),
               fmt::format(" … {} left", duration(left_s())));
  }

  void end(const Report& report) {
    const Ending& ending = report.record.ending;
    next(ending.wall_s);
    if (quiet_ && report.record.ok()) return;
    const bool tell_left = !line_.shown() && task_ < predicted_s_.size();
    say(report.record.ok() ? report.result
                           : fmt::format("{}: {}", name(ending.status), ending.message),
        tell_left ? fmt::format(" ({} left)", duration(left_s())) : "");
  }

  /// Ends the task in progress, which has no result, and prints the cause.
  void leave(const std::string& what_happened) {
    next(now_s() - began_s_);
    say(what_happened, "");
  }

  /// Prints a message about the task in progress.
  void remark(const std::string& text) {
    line_.say(fmt::format("[{}/{}] {}: {}", task_ + 1, predicted_s_.size(), what_, text));
  }

  /// Prints more about the task that has just ended.
  void add(const std::string& text) { line_.say("      " + text); }

  /// Skips the next task.
  void pass() { predicted_left_s_ -= predicted_s_[task_++]; }

 private:
  void say(const std::string& how_it_ended, const std::string& left) {
    line_.say(
        fmt::format("[{}/{}] {}: {}{}", task_, predicted_s_.size(), what_, how_it_ended, left));
  }

  void next(double spent_s) {
    spent_s_ += spent_s;
    predicted_ended_s_ += predicted_s_[task_];
    began_s_ = now_s();
    pass();
  }

  double left_s() const {
    const double pace = predicted_ended_s_ > 0 ? spent_s_ / predicted_ended_s_ : 1;
    return std::max(0.0, predicted_left_s_ * pace - (now_s() - began_s_));
  }

  bool quiet_;
  std::vector<double> predicted_s_;
  double predicted_left_s_;  // of the task in progress and those to come
  TerminalLine line_;
  std::size_t task_ = 0;  // index of the task in progress
  std::string what_;
  double began_s_ = 0;
  double spent_s_ = 0;            // on the tasks that ended
  double predicted_ended_s_ = 0;  // predicted wall time of these tasks
};

/// States that a run continues from.
struct StatesFrom {
  std::string own;   ///< the directory of the states of the run
  std::string from;  ///< the directory to copy them from; empty: none
};

/// Replaces the states of the run by copies of those in `from`, all or none of them.
void put_in_place(const StatesFrom& states, bool extends) {
  std::error_code none;
  if (!states.from.empty() && fs::equivalent(states.own, states.from, none)) return;
  const std::string draft = states.own + ".new";
  fs::remove_all(states.own);
  fs::remove_all(draft);
  if (states.from.empty()) return;
  fs::create_directories(draft);
  for (const fs::directory_entry& file : fs::directory_iterator(states.from)) {
    const fs::path kind = file.path().extension();
    // With --states, failed chains may be executed again.
    if (kind == ".state" || kind == ".reports" || (kind == ".failed" && extends))
      fs::copy(file.path(), fs::path(draft) / file.path().filename());
  }
  fs::rename(draft, states.own);
}

/// Warns about chains of `run` without a state to continue from. Throws UserError if a state is
/// damaged or of other chains. `items`: the numbers of items when the states were written.
void check_states(const Task& run, const std::string& from, const Items& items) {
  const StateFiles files = state_files(run, from);
  items_left(initial_items(run), files);
  const RankSet missing = chains_without_state(items, files);
  if (missing.empty()) return;
  print_error(fmt::format("{}: chain{} {} of {} begin{} anew: {} has no state of {}", describe(run),
                          missing.size() == 1 ? "" : "s", text_of(missing), items.size(),
                          missing.size() == 1 ? "s" : "", from,
                          missing.size() == 1 ? "it" : "them"));
}

/// Puts the states in place that the runs at `indices` of `experiment` continue from: their own if
/// they are `resumed` and have any; otherwise those of the runs that they `extend`, if any;
/// otherwise the states in the directory `given`, or none. Throws UserError if a state is damaged
/// or of other chains; then nothing has changed. Returns the directories of states that were put in
/// place.
std::set<std::string> prepare_states(const Experiment& experiment,
                                     std::span<const std::size_t> indices, const std::string& logs,
                                     const std::string& given, bool resumed,
                                     const ExtendedRuns* extend) {
  if (!given.empty() && !has_states(given)) {
    throw UserError(fmt::format("--states {}: the directory contains no states", given));
  }
  if (!experiment.writes_states()) indices = {};  // there may be a million
  const bool known = resumed && fs::is_directory(logs);
  std::vector<StatesFrom> fresh;
  for (const std::size_t index : indices) {
    const Task task = experiment.at(index);
    if (!task.is_run() || !task.run().writes_states()) continue;
    const std::string own = states_beside(fmt::format("{}/{}.task.json", logs, fingerprint(task)));
    const bool goes_on = known && has_states(own);
    std::string from = goes_on ? own : given;
    Task before = task;
    if (extend != nullptr) {
      before.run().extra_items = extend->extra_items(task, task.run().extra_items).value_or(0);
      if (!goes_on) from = extend->states(before);
      if (!has_states(from)) from.clear();
    }
    if (!goes_on) fresh.push_back({own, from});
    if (!from.empty()) check_states(task, from, initial_items(before));
  }
  if (!given.empty() && fresh.empty()) {
    throw UserError("--states: none of the selected runs saves states; see the key 'save_every'");
  }
  for (const std::size_t index : extend != nullptr ? indices : std::span<const std::size_t>()) {
    extend->remove_older(experiment.at(index));
  }
  std::set<std::string> placed;
  for (const StatesFrom& states : fresh) {
    if (!states.from.empty()) placed.insert(states.own);
    put_in_place(states, extend != nullptr);
  }
  return placed;
}

constexpr int most_in_vain = 3;  // tasks without a result, until others as large are skipped

class Sweep {
 public:
  Sweep(const Experiment& experiment, const SweepOptions& options)
      : experiment_(experiment),
        options_(options),
        wanted_(selected(experiment, options.which)),
        repeated_(experiment),
        results_(results_directory(experiment, options), experiment.measured(),
                 experiment.catalog()) {}

  int run();

 private:
  std::string id(std::size_t index) const { return fingerprint(experiment_.at(index)); }
  bool launches(std::size_t index) const { return engine_of(experiment_, index).job != nullptr; }
  void check_request() const;
  bool adds() const;
  Indices open_results();
  std::span<const std::size_t> simulated_first(std::span<const std::size_t> indices) const;
  bool is_in_vain(int ranks) const;
  bool needs(std::size_t index) const;
  void keep(std::size_t index, Report report, Progress& progress);
  void simulate(std::span<const std::size_t> indices, Progress& progress);
  void execute_one(std::size_t index, Progress& progress);
  std::string command_for_the_rest() const;
  int close(double seconds) const;

  const Experiment& experiment_;
  const SweepOptions& options_;
  Indices wanted_;
  Repeated repeated_;
  Results results_;
  int invocation_ = 0;
  std::set<std::string> warned_;
  Placements placements_;
  std::size_t done_ = 0;
  std::size_t unsupported_ = 0;
  std::size_t bad_ = 0;
  std::size_t spared_ = 0;    // repetitions that were not needed
  std::size_t left_ = 0;      // tasks without a result
  std::size_t untried_ = 0;   // of these, skipped because of their size
  std::vector<int> in_vain_;  // ranks of the others, since a task as large had a result
};

/// Throws UserError for mistakes of the user, before anything is written.
void Sweep::check_request() const {
  if (options_.overwrite && (options_.resume || options_.retry)) {
    throw UserError("--overwrite cannot be combined with --resume or --retry");
  }
  std::set<const LaunchedEngine*> engines;  // that launch processes
  for (const std::size_t i : wanted_) {
    const LaunchedEngine& engine = engine_of(experiment_, i);
    if (engines.contains(&engine) || engine.job == nullptr) continue;
    if (engine.lacks(experiment_.at(i)).empty()) engines.insert(&engine);
  }
  for (const LaunchedEngine* engine : engines) engine->check(experiment_);
}

/// Returns whether existing results are kept. Requests for one task, and extensions, add rows.
bool Sweep::adds() const {
  return options_.resume || options_.retry || options_.extend > 0 ||
         (!options_.overwrite && !options_.which.one.empty());
}

/// Returns whether --one requests the task at `index`, or previous repetitions do not suffice.
bool Sweep::needs(std::size_t index) const {
  return !options_.which.one.empty() || repeated_.needs(index);
}

/// Opens the results and returns the tasks to execute. Changes nothing in the results before all
/// steps that can fail.
Indices Sweep::open_results() {
  results_.open();
  const bool anew = options_.overwrite || !results_.exist();
  if (!anew && !adds()) {
    throw UserError(fmt::format(
        "{} contains results; --resume runs the missing tasks, --retry also repeats those that did "
        "not end well, --overwrite deletes the results, --out selects another directory",
        results_.directory()));
  }
  if (!anew) {
    std::unordered_set<std::uint64_t> chosen;
    if (options_.retry) {
      for (const std::size_t i : wanted_) chosen.insert(hash_from(id(i)).value());
    }
    results_.read([&](const std::string& run) { return chosen.contains(hash_from(run).value()); });
  }
  Indices indices = in_order(experiment_, wanted_);
  if (!anew) {
    repeated_.read(results_.directory(), [&](const std::string& run) { return results_.has(run); });
  }
  std::erase_if(indices, [&](std::size_t i) { return results_.has(id(i)) || !needs(i); });
  if (!anew && std::ranges::any_of(indices, [&](std::size_t i) { return launches(i); })) {
    for (const Record& record :
         read_records(results_.directory(), experiment_.measured(), experiment_.catalog())) {
      placements_.know(record);
    }
  }
  const auto known =
      anew ? std::map<int, Circumstances>{} : read_circumstances(results_.directory());
  invocation_ = 1 + std::max(known.empty() ? 0 : known.rbegin()->first,
                             results_.invocations().empty() ? 0 : *results_.invocations().rbegin());
  const std::string document =
      provenance(experiment_, launcher_of(experiment_), options_.command, invocation_);
  if (!options_.mixed && !indices.empty()) {
    check_circumstances(results_, known,
                        documents_in(document, "provenance.yaml").front().circumstances,
                        invocation_);
  }
  std::optional<ExtendedRuns> extended;
  if (options_.extend > 0) extended.emplace(results_.directory(), experiment_.catalog());
  const std::set<std::string> states =
      prepare_states(experiment_, indices, results_.path("logs"), options_.states, adds(),
                     extended ? &*extended : nullptr);
  if (anew) {
    results_.begin_anew(states);
  } else {
    results_.resume();
  }
  if (anew || !indices.empty()) results_.add_provenance(document);
  return indices;
}

/// Returns the leading `indices` of tasks that this program simulates, up to the first that may
/// depend on their results.
std::span<const std::size_t> Sweep::simulated_first(std::span<const std::size_t> indices) const {
  const bool adaptive = experiment_.repetitions.adaptive();
  const int repetition = experiment_.repetition(indices.front());
  const auto end = std::ranges::find_if(indices, [&](std::size_t i) {
    return launches(i) || (adaptive && experiment_.repetition(i) != repetition);
  });
  return indices.first(static_cast<std::size_t>(end - indices.begin()));
}

/// Returns whether `most_in_vain` tasks on at most `ranks` ranks ended without a result.
bool Sweep::is_in_vain(int ranks) const {
  return std::ranges::count_if(in_vain_, [&](int fewer) { return fewer <= ranks; }) >= most_in_vain;
}

void Sweep::keep(std::size_t index, Report report, Progress& progress) {
  Record& record = report.record;
  record.invocation = invocation_;
  results_.add(record);
  repeated_.add(index, record);
  progress.end(report);
  const std::string note = options_.quiet ? "" : repeated_.note(index);
  if (!note.empty()) progress.add(note);
  Task setting = record.task;
  setting.repetition = 1;
  const std::vector<std::string> remarks = remarks_on(record);
  if (!remarks.empty() && warned_.insert(describe(setting)).second) {
    for (const std::string& remark : remarks) {
      options_.quiet ? print_error(describe(record.task) + ": " + remark) : progress.add(remark);
    }
  }
  if (!report.warning.empty() && warned_.insert(report.warning).second) print_error(report.warning);
  ++done_;
  if (record.ending.status == Status::unsupported) {
    ++unsupported_;
  } else if (!record.ok()) {
    ++bad_;
  }
}

void Sweep::simulate(std::span<const std::size_t> indices, Progress& progress) {
  const auto ranks = [&](std::size_t i) { return experiment_.ranks(indices[i]); };
  const auto all = std::views::iota(std::size_t{0}, indices.size());
  const int most_ranks = std::ranges::max(std::views::transform(all, ranks));
  const std::int64_t fitting = fitting_runs(most_ranks);
  const int jobs = options_.jobs > 0 ? options_.jobs : own_cores();
  if (fitting < std::min<std::int64_t>(jobs, std::ssize(indices)) &&
      warned_.insert("memory").second) {
    print_error(fmt::format("available memory suffices for {} of {} ranks at a time",
                            counted(static_cast<std::size_t>(fitting), "run"), most_ranks));
  }
  std::size_t next = 0;
  simulate_all({indices.size(),
                [&](std::size_t i) { return experiment_.at(indices[i]); },
                ranks,
                {},
                options_.jobs},
               [&](Finished finished) {
                 finished.ending.events = event_detail(experiment_.events, finished.task.ranks);
                 progress.begin(describe(finished.task));
                 keep(indices[next++], report_of(std::move(finished)), progress);
                 return !interrupted();
               });
}

void Sweep::execute_one(std::size_t index, Progress& progress) {
  const Task task = experiment_.at(index);
  if (is_in_vain(task.ranks)) {
    progress.pass();
    ++left_;
    ++untried_;
    return;
  }
  if (task.is_run() && task.run().keep_draws == "auto" && !report_plan_of(task).keep_draws) {
    const std::string note = fmt::format(
        "draws of runs with more than {} numbers are not stored (up to {} here), so statistics of "
        "their chains are computed from reports; set keep_draws: true to store draws",
        most_kept_numbers, numbers_in_draws(task));
    if (warned_.insert("keep_draws").second) print_error(note);
  }
  progress.begin(describe(task));
  Executed executed = execute(
      experiment_, task, results_.path("logs"),
      [&](const std::string& news) { progress.tick(news); },
      [&](const std::string& text) {
        if (warned_.insert(text).second) progress.remark(text);
      });
  if (executed.report) {
    std::erase_if(in_vain_, [&](int ranks) { return ranks <= task.ranks; });
    results_.keep(executed.report->place);
    placements_.note(executed.report->record, results_.directory());
    keep(index, *std::move(executed.report), progress);
  } else if (!executed.no_result.empty()) {
    progress.leave(executed.no_result);
    in_vain_.push_back(task.ranks);
    ++left_;
  }
}

/// Returns "about 2 s", "about 2 s (3 of unknown duration)".
std::string in_words(const Predicted& predicted) {
  if (predicted.unknown == 0) return "about " + duration(predicted.sum_s);
  if (predicted.unknown == predicted.each_s.size()) return "of unknown duration";
  return fmt::format("about {} ({} of unknown duration)", duration(predicted.sum_s),
                     predicted.unknown);
}

int Sweep::run() {
  check_request();
  const Indices indices = open_results();
  const Predicted predicted = predict(experiment_, indices);
  if (!options_.quiet) {
    print_out("{}: {}{} of {} to do, {}; results in {}\n{}", experiment_.name,
              experiment_.repetitions.adaptive() ? "at most " : "", indices.size(),
              counted(experiment_.size(), experiment_.noun()), in_words(predicted),
              results_.directory(), left_out_note(experiment_.left_out(), experiment_.excluded()));
  }
  Progress progress(predicted.each_s, options_.quiet);
  const double began_s = now_s();
  while (done_ + left_ + spared_ < indices.size() && !interrupted()) {
    const auto rest = std::span(indices).subspan(done_ + left_ + spared_);
    const auto simulated = simulated_first(rest);
    Indices needed(simulated.begin(), simulated.end());
    if (simulated.empty()) needed.push_back(rest.front());
    spared_ += std::erase_if(needed, [&](std::size_t i) {
      if (needs(i)) return false;
      progress.pass();
      return true;
    });
    if (needed.empty()) continue;
    if (!simulated.empty()) {
      simulate(needed, progress);
    } else {
      execute_one(needed.front(), progress);
    }
  }
  return close(now_s() - began_s);
}

/// Returns a shell command that executes the remaining tasks.
std::string Sweep::command_for_the_rest() const {
  if (!options_.rest.empty()) return options_.rest;
  std::string line = fmt::format("{} run {}", quoted(program_call()), quoted(experiment_.file));
  for (const std::string& change : experiment_.changes) line += " --set " + quoted(change);
  if (!options_.walkers.empty()) line += " --walkers " + quoted(options_.walkers);
  if (!options_.directory.empty()) line += " --out " + quoted(options_.directory);
  line += options_of(options_.which);
  if (options_.mixed) line += " --mixed";
  if (options_.jobs > 0) line += fmt::format(" --jobs {}", options_.jobs);
  return line + (options_.retry ? " --retry" : " --resume");
}

int Sweep::close(double seconds) const {
  if (interrupted()) {
    print_out("\ninterrupted after {}; to run the remaining tasks:\n{}\n",
              counted(done_, experiment_.noun()), command_for_the_rest());
    return 130;
  }
  if (left_ > 0) {
    print_out("{} without a result{}; to run {}:\n{}\n", counted(left_, experiment_.noun()),
              untried_ > 0 ? fmt::format(", {} of them not started", untried_) : "",
              left_ == 1 ? "it" : "them", command_for_the_rest());
    return TemporaryError::exit_code;
  }
  const std::size_t ok = done_ - unsupported_ - bad_;
  if (options_.quiet && ok == done_) return 0;
  if (spared_ > 0) print_out("{} not needed\n", counted(spared_, "repetition"));
  print_out("{} in {}", counted(done_, experiment_.noun()), duration(seconds));
  if (done_ > 1 && ok == done_) {
    print_out(", all ok");
  } else if (done_ > 0) {
    print_out(": {} ok", ok);
  }
  if (unsupported_ > 0)
    print_out(", {} unsupported: see message in {}", unsupported_, results_.table());
  if (bad_ > 0) {
    print_out(", {} did not end well: see status and message in {}, output in {}", bad_,
              results_.table(), results_.path("logs"));
  }
  print_out("\n");
  return bad_ > 0 || (done_ > 0 && ok == 0) ? 1 : 0;
}

}  // namespace

std::string results_directory(const Configuration& configuration, const SweepOptions& options) {
  const bool usual = options.directory.empty();
  return (usual ? "results/" + configuration.name : options.directory) +
         place_of_shard(options.which);
}

int run_sweep(const Experiment& experiment, const SweepOptions& options) {
  catch_interrupts();
  return Sweep(experiment, options).run();
}

}  // namespace regroup
