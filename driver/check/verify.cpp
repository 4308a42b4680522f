// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>

#include "driver/config/experiment.hpp"
#include "driver/execute/engines.hpp"
#include "driver/execute/threads.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/record.hpp"
#include "driver/store/results.hpp"
#include "driver/store/run_files.hpp"
#include "engines/audit/audit.hpp"
#include "kernel/clocks/sleep.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "regroup/numbers.hpp"

namespace regroup {

namespace {

/// The violations in results, and the checks that were not possible.
class Faults {
 public:
  /// `line` 0: the file as a whole.
  void add(const std::string& path, std::size_t line, const std::string& what) {
    add(line == 0 ? fmt::format("{}: {}", path, what) : fmt::format("{}:{}: {}", path, line, what));
  }

  void add(const Faults& others) {
    for (const std::string& fault : others.first_) add(fault);
    count_ += others.count_ - others.first_.size();
    for (const auto& [what, times] : others.unchecked_) unchecked_[what] += times;
  }

  /// Adds a check that was not possible. Equal texts are printed once, with their number.
  void unchecked(const std::string& what) { ++unchecked_[what]; }

  std::size_t count() const { return count_; }

  /// Prints the first violations, and the checks that were not possible.
  void print() const {
    for (const std::string& fault : first_) fmt::print("{}\n", one_line(fault));
    if (count_ > first_.size()) fmt::print("… and {} more\n", count_ - first_.size());
    for (const auto& [what, times] : unchecked_) {
      fmt::print("not checked: {}{}\n", one_line(what),
                 times > 1 ? fmt::format(" ({} times)", times) : "");
    }
  }

 private:
  void add(const std::string& fault) {
    constexpr std::size_t shown = 20;
    if (++count_ <= shown) first_.push_back(fault);
  }

  std::size_t count_ = 0;
  std::vector<std::string> first_;
  std::map<std::string, std::size_t> unchecked_;
};

// ---- files beside the table of tasks

/// The consecutive rows of a task in such a file.
template <class Content>
struct Block {
  std::string_view file;
  std::size_t line = 0;  ///< of the first row
  std::vector<Content> rows;
};

/// The rows of the tasks to verify: those that existed when verification began. A sweep writes the
/// row of a task after all others of the task.
struct Snapshot {
  std::unordered_map<std::string, std::size_t> positions;  ///< of the row of each task in the table
  std::size_t rows = 0;
  std::string writer;  ///< the sweep that is adding rows; empty if there is none
};

/// Reads such a file block by block. Blocks are in the order of the rows of their tasks.
template <class Content>
class Beside {
 public:
  /// `exists`: whether this kind of results has such a file.
  Beside(const std::string& directory, std::string_view file, bool exists, const Snapshot& snapshot,
         Content (*read)(const CsvRow&), Faults& faults)
      : file_(file), snapshot_(snapshot), read_(read), faults_(faults) {
    if (exists) more_ = reader_.emplace(fmt::format("{}/{}", directory, file)).next();
  }

  /// Returns the rows of the task `id`; there may be none.
  Block<Content> take(const std::string& id) {
    pass_over_those_before(snapshot_.positions.at(id));
    Block<Content> block{file_, more_ ? reader_->row().line : 0, {}};
    for (; more_ && reader_->row()["run"] == id; more_ = reader_->next()) {
      block.rows.push_back(read_(reader_->row()));
    }
    return block;
  }

  /// Checks the end of the file. A killed sweep may leave rows of one task that has no row of its
  /// own; a sweep in progress, rows of new tasks, which are added to `meanwhile`.
  void end(std::set<std::string>& meanwhile) {
    if (!reader_) return;
    pass_over_those_before(snapshot_.rows);
    if (!snapshot_.writer.empty()) {
      for (const auto& [line, id] : unknown_) meanwhile.insert(id);
      return;
    }
    const bool left = !unknown_.empty() || reader_->torn() > 0;
    if (!unknown_.empty()) unknown_.pop_back();
    tell_unknown();
    if (left) {
      faults_.unchecked(fmt::format(
          "the last rows of {}, which belong to no task (was the sweep killed?)", reader_->path()));
    }
  }

 private:
  void pass_over_those_before(std::size_t position) {
    std::string last;
    for (; more_; more_ = reader_->next()) {
      const CsvRow row = reader_->row();
      const std::string& id = row["run"];
      const auto known = snapshot_.positions.find(id);
      if (known != snapshot_.positions.end() && known->second >= position) break;
      if (id == last) continue;
      last = id;
      if (known == snapshot_.positions.end()) {
        unknown_.emplace_back(row.line, id);
      } else {
        faults_.add(reader_->path(), row.line,
                    fmt::format("rows of task {} are not in the order of tasks", id));
      }
    }
    if (more_) tell_unknown();
  }

  void tell_unknown() {
    for (const auto& [line, id] : unknown_) {
      faults_.add(reader_->path(), line,
                  fmt::format("rows of a task {} that is missing in the table of tasks", id));
    }
    unknown_.clear();
  }

  std::string_view file_;
  std::optional<CsvReader> reader_;
  const Snapshot& snapshot_;
  Content (*read_)(const CsvRow&);
  Faults& faults_;
  bool more_ = false;
  std::vector<std::pair<std::size_t, std::string>> unknown_;  // tasks, with their first lines
};

// ---- one task

/// A task as stored in the files of a directory.
struct TaskInFiles {
  std::size_t line = 0;
  std::vector<std::string> cells;  ///< in the order of the columns
  Record record;
  bool has_inputs = true;  ///< whether the files that it read are unchanged
  Block<GroupLife> events;
  Block<std::pair<std::int64_t, std::int64_t>> regroups;
  Block<ReportRow> chains;
  Block<std::string> quantities;  ///< lines
  Block<SampleRow> samples;
};

/// The properties that all tasks of a directory share.
struct Directory {
  std::string path;
  std::string table;
  std::vector<Column> columns;
};

/// Returns the least time that the items of a group take, by the configuration.
double least_s(const ItemTime& time, const GroupLife& life) {
  constexpr std::int64_t most = 1'000'000;  // items of varying length; enough for the check
  const std::int64_t done = life.executed_min;
  if (!time.varies()) return static_cast<double>(done) * time.seconds(life.ranks.size());
  double sum = 0;
  for (std::int64_t item = 0; item < std::min(done, most); ++item) {
    sum += time.seconds(life.ranks.size(), life.walker, life.items_before - item);
  }
  return sum;
}

/// Returns the limits for times of `task`, by its configuration and its engine's clock.
TimeLaw law_of(const Task& task, double clock_error_us) {
  const auto time = std::make_shared<ItemTime>(item_time_of(task));
  TimeLaw law;
  law.resolution_s = task.is_exact() ? 1e-9 : 1e-7;
  const double item_rounding_s = task.is_exact() ? 1e-12 : 1e-7;
  double share = 1;
  if (!task.is_exact()) {
    law.forms_after_its_parts = task.strategy() == nullptr || !task.strategy()->local();
  }
  if (task.is_real()) {
    // Clocks of several hosts agree to a fraction of a message's latency, and then drift apart.
    law.clocks_apart_s = 1e-3;
    law.clocks_drift = 1e-4;
    law.resolution_s += 2e-6 * clock_error_us;
    // Walkers that SMPI cannot run measure items in processor time, by another clock.
    const WalkerEntry& walker = *task.run().walker.row;
    if (!walker.smpi) share = 0.999;
    if (!walker.timed) share = 0;
  }
  law.least_s = [=](const GroupLife& life) {
    const double items = static_cast<double>(life.executed_min);
    return std::max(0.0, share * least_s(*time, life) - items * item_rounding_s);
  };
  return law;
}

bool is_time(double s) { return s >= 0 && std::isfinite(s); }

std::string line_of(const CsvRow& row) { return csv_line(row.fields); }

class TaskCheck {
 public:
  TaskCheck(const Directory& directory, const TaskInFiles& task, Faults& faults)
      : directory_(directory), in_files_(task), faults_(faults) {}

  void check();

 private:
  std::string named(const std::string& what) const {
    return fmt::format("{} ({}): {}", in_files_.cells.front(), describe(record_.task), what);
  }
  void wrong(const std::string& what) {
    faults_.add(directory_.table, in_files_.line, named(what));
  }
  void wrong_in(const auto& block, std::size_t row, const std::string& what) {
    faults_.add(fmt::format("{}/{}", directory_.path, block.file), block.line + row, named(what));
  }
  void must(bool condition, std::string_view column, const auto& value) {
    if (!condition) wrong(fmt::format("impossible {} '{}'", column, value));
  }

  void check_ending();
  void check_cells(const Record& right);
  void check_facts();
  void check_run();
  bool find_failures(Outcome& outcome);
  bool find_lives(Outcome& outcome);
  bool check_events(const Outcome& outcome);
  bool simulate_again(Outcome& outcome);
  void check_wall_time(std::span<const GroupLife> lives);
  void check_wall_time(double after_s, std::string_view what);
  Record as_asked(const std::vector<ChainFailure>& failures = {}) const;
  void check_without_groups(const std::vector<ChainFailure>& failures);
  void check_regroups(std::span<const GroupLife> lives);
  bool find_reports(Outcome& outcome);
  bool find_draws(Outcome& outcome);
  void check_reports(const Outcome& outcome);
  void check_samples();

  const Directory& directory_;
  const TaskInFiles& in_files_;
  Faults& faults_;
  const Record& record_ = in_files_.record;
  const Outcome& outcome_ = record_.outcome;  ///< without the parts that have files of their own
};

void TaskCheck::check() {
  const std::string name = fingerprint(record_.task);
  if (name != in_files_.cells.front()) {
    return wrong(fmt::format("its parameters belong to task {}", name));
  }
  check_ending();
  if (record_.ok()) {
    check_facts();
    return record_.task.is_run() ? check_run() : check_samples();
  }
  check_cells(as_asked());
  const auto must_be_empty = [&](const auto& block) {
    if (!block.rows.empty()) wrong_in(block, 0, "rows of a task that did not end well");
  };
  must_be_empty(in_files_.events);
  must_be_empty(in_files_.regroups);
  must_be_empty(in_files_.chains);
  must_be_empty(in_files_.quantities);
  must_be_empty(in_files_.samples);
}

void TaskCheck::check_ending() {
  const Ending& ending = record_.ending;
  const bool silent = ending.message.empty();
  if (!record_.ok() && silent) wrong("it did not end well, but there is no message");
  if (record_.ok() && !silent && ending.message != hung_at_its_end && ending.message != suspended &&
      !ending.message.starts_with(failed_at_its_end)) {
    wrong("it ended well, but there is a message");
  }
  must(is_time(ending.wall_s), "wall_s", ending.wall_s);
  must(is_time(ending.memory_mb), "memory_mb", ending.memory_mb);
  must(is_time(outcome_.setup_s), "setup_s", outcome_.setup_s);
  const std::string lacking = engine_of(record_.task).lacks(record_.task);
  if (record_.task.is_real()) return;  // another MPI library may have had what this one lacks
  must(lacking.empty() != (ending.status == Status::unsupported), "status", name(ending.status));
}

/// Compares the cells of `right`, whose figures are recomputed, with those of the row.
void TaskCheck::check_cells(const Record& right) {
  for (std::size_t i = 0; i < directory_.columns.size(); ++i) {
    const std::string cell = directory_.columns[i].write(right);
    if (cell == in_files_.cells[i]) continue;
    wrong(fmt::format("{} is '{}' instead of '{}'", directory_.columns[i].name, in_files_.cells[i],
                      cell));
  }
}

/// Checks that values that cannot be recomputed fit the engine, the strategy and the walker.
void TaskCheck::check_facts() {
  const Task& task = record_.task;
  const Placement& where = outcome_.where;
  const std::string& waited = outcome_.waiting;
  if (task.is_exact()) {
    must(waited == "virtual", "waited", waited);
  } else if (!task.is_real() || task.waiting == "direct") {
    must(waited == "direct", "waited", waited);
  } else {
    const bool direct = waited == "direct" && task.waiting == "auto";
    must(direct || waited == "polite" || waited == "wrapper", "waited", waited);
  }
  const bool real = task.is_real();
  must((where.cores > 0) == real, "cores", where.cores);
  must(real ? where.crowded || task.ranks <= where.cores : !where.crowded, "oversubscribed",
       where.crowded ? "yes" : "no");
  must(real ? hash_from(where.placement).has_value() : where.placement.empty(), "placement",
       where.placement);
  must(record_.ending.began.empty() != real, "began", record_.ending.began);
  must(is_time(where.load_average_before), "load_average_before", where.load_average_before);
  must(real ? outcome_.clock_error_us >= 0 : outcome_.clock_error_us == 0, "clock_error_us",
       outcome_.clock_error_us);
  if (!task.is_run()) return;
  const Run& run = task.run();
  const bool of_mpi = !task.is_exact() && run.strategy != nullptr && !run.strategy->local();
  must((outcome_.communicators_alive_max > 0) == of_mpi, "communicators_alive_max",
       outcome_.communicators_alive_max);
  const std::string& chains_hash = outcome_.chains_hash;
  const bool has_state = run.walker->state_bytes(run.walker.options) > 0;
  must(has_state && run.walker->reproducible && !task.is_exact()
           ? hash_from(chains_hash).has_value()
           : chains_hash.empty(),
       "chains_hash", chains_hash);
  must(has_state ? outcome_.hand_over_bytes >= 0 : outcome_.hand_over_bytes == 0, "hand_over_bytes",
       outcome_.hand_over_bytes);
  const std::int64_t asked_for = outcome_.walker_communicators;
  must(task.is_exact() ? asked_for == 0 : asked_for >= 0, "walker_communicators", asked_for);
  const double asking_s = outcome_.walker_communicators_s;
  must(asked_for == 0 ? asking_s == 0 : is_time(asking_s), "walker_communicators_s", asking_s);
  must(is_time(outcome_.hand_over_s), "hand_over_s", outcome_.hand_over_s);
  must(real ? is_time(outcome_.cpu_s) : outcome_.cpu_s == 0, "cpu_s", outcome_.cpu_s);
  must(outcome_.enough_items >= 0 && (run.may_end_early() || outcome_.enough_items == 0),
       "enough_items", outcome_.enough_items);
  must(outcome_.resumed_items >= 0 && (has_state || outcome_.resumed_items == 0), "resumed_items",
       outcome_.resumed_items);
  const LossStatistics& losses = record_.losses;
  const bool lost = losses.ranks_lost > 0;
  must(losses.ranks_lost >= 0 && losses.ranks_lost < task.ranks && (run.recovers() || !lost),
       "ranks_lost", losses.ranks_lost);
  must(losses.items_repeated >= 0 && (lost || losses.items_repeated == 0), "items_repeated",
       losses.items_repeated);
  must(is_time(losses.recovery_s) && (lost || losses.recovery_s == 0), "recovery_s",
       losses.recovery_s);
  must(run.costs ? task.is_exact() : !task.is_exact(), "costs", run.costs ? run.costs->name : "");
}

void TaskCheck::check_run() {
  if (!in_files_.has_inputs) {
    return faults_.unchecked("runs whose input files are missing or have changed");
  }
  Outcome outcome = outcome_;
  if (!find_failures(outcome) || !find_lives(outcome) || !find_reports(outcome)) return;
  check_regroups(outcome.lives);
  check_reports(outcome);
  if (outcome.lives.empty()) {
    check_without_groups(outcome.failures);
    return faults_.unchecked("the groups of real runs without stored events");
  }
  check_wall_time(outcome.lives);
  Record right = record_of({record_.task, record_.ending, std::move(outcome)});
  right.invocation = record_.invocation;
  check_cells(right);
  const std::string lines = lines_of(right, directory_.columns).back();
  if (fmt::format("{}", fmt::join(in_files_.quantities.rows, "")) != lines) {
    wrong_in(in_files_.quantities, 0, "not the statistics of its chains");
  }
}

/// Reads the failures of chains. Returns whether they are possible.
bool TaskCheck::find_failures(Outcome& outcome) {
  const std::vector<ReportRow>& rows = in_files_.chains.rows;
  const auto fails = [](const ReportRow& row) { return !row.reason.empty(); };
  const auto first = std::ranges::find_if(rows, fails);  // all reports come before
  for (auto row = first; row != rows.end(); ++row) {
    outcome.failures.push_back({row->chain, row->items, row->reason});
  }
  auto wrong = first_impossible(record_.task, outcome.failures);
  if (outcome.enough_items > 0 && !wrong) {
    const auto late = std::ranges::find_if(outcome.failures, [&](const ChainFailure& failure) {
      return failure.item >= outcome.enough_items;
    });
    if (late != outcome.failures.end()) wrong = late - outcome.failures.begin();
  }
  if (wrong) {
    wrong_in(in_files_.chains, static_cast<std::size_t>(first - rows.begin()) + *wrong,
             "impossible failure of a chain");
  }
  return !wrong;
}

/// Reads the lives of groups from the events, or simulates them again. Returns false if they are
/// wrong.
bool TaskCheck::find_lives(Outcome& outcome) {
  const bool written = record_.ending.events == EventDetail::all;
  if (written != !in_files_.events.rows.empty()) {
    wrong(written ? "events.csv has no rows of it" : "events.csv has events of it");
    return false;
  }
  if (written) {
    outcome.lives = in_files_.events.rows;
    if (!check_events(outcome)) return false;
  }
  return !record_.task.is_exact() || simulate_again(outcome);
}

bool TaskCheck::check_events(const Outcome& outcome) {
  const std::vector<GroupLife>& lives = outcome.lives;
  const Task& task = record_.task;
  const Items items = initial_items(task);
  const TimeLaw law = law_of(task, outcome_.clock_error_us);
  const RunInput start = beginning(task, executed_items(task, items, outcome));
  const auto wrong_event = [&](std::size_t life, const std::string& what) {
    wrong_in(in_files_.events, life < lives.size() ? life : 0, what);
    return false;
  };
  if (const auto violation = find_violation(lives, start.groups, start.items, &law, start.queue,
                                            exchange_messages(task.run().walker))) {
    return wrong_event(violation->life, violation->what);
  }
  const BalancerEntry& balancer = *task.run().balancer.row;
  const RankSet lost = loss_statistics(lives).lost;
  // Gaps of lost ranks do not count.
  const auto is_range = [&](const RankSet& ranks) {
    std::vector<RankRange> all(ranks.ranges().begin(), ranks.ranges().end());
    all.insert(all.end(), lost.ranges().begin(), lost.ranges().end());
    return RankSet::of(std::move(all)).contains(RankRange{ranks.lo(), ranks.hi()});
  };
  for (std::size_t i = 0; i < lives.size(); ++i) {
    if (!lives[i].regrouped()) continue;
    if (balancer.regrouping == Regrouping::never) {
      return wrong_event(i, fmt::format("a regrouping, although {} never regroups", balancer.name));
    }
    if (balancer.shapes == Shapes::ranges && !is_range(lives[i].ranks)) {
      return wrong_event(i,
                         fmt::format("a group with gaps, although {} forms ranges", balancer.name));
    }
  }
  return true;
}

/// Simulates the run again: virtual time is reproducible bit by bit.
bool TaskCheck::simulate_again(Outcome& outcome) {
  Outcome again;
  try {
    again = simulate(record_.task);
  } catch (const std::exception& error) {
    wrong(fmt::format("the repeated simulation fails: {}", error.what()));
    return false;
  }
  if (!in_files_.events.rows.empty()) {
    const auto& rows = in_files_.events.rows;
    const auto [mine, other] = std::ranges::mismatch(rows, again.lives);
    if (mine != rows.end() || other != again.lives.end()) {
      wrong_in(in_files_.events, static_cast<std::size_t>(mine - rows.begin()),
               fmt::format("events of the repeated simulation differ from this row on ({} instead "
                           "of {} groups in total)",
                           rows.size(), again.lives.size()));
      return false;
    }
  }
  outcome.lives = std::move(again.lives);
  outcome.hand_over_bytes = again.hand_over_bytes;
  outcome.hand_over_s = again.hand_over_s;
  outcome.where.groups_across_nodes =
      groups_across(simulated_nodes_of(record_.task), outcome.lives);
  return true;
}

/// Checks that real groups existed only within the wall time that the launcher measured.
void TaskCheck::check_wall_time(std::span<const GroupLife> lives) {
  if (!record_.task.is_real()) return;
  double last_s = 0;
  for (const GroupLife& life : lives) last_s = std::max({last_s, life.busy_until_s, life.ended_s});
  check_wall_time(last_s, "a group existed");
}

/// Checks that `what`, `after_s` seconds after the common start, is within the wall time.
void TaskCheck::check_wall_time(double after_s, std::string_view what) {
  const double wall_s = record_.ending.wall_s;
  const double clocks_apart_s = 1e-3 + 1e-4 * wall_s;
  if (outcome_.setup_s + after_s <= wall_s + clocks_apart_s) return;
  wrong(fmt::format("{} {} s after the start of its processes, but the task took {} s", what,
                    outcome_.setup_s + after_s, wall_s));
}

/// Returns the record with the figures that follow from the parameters of a run alone.
Record TaskCheck::as_asked(const std::vector<ChainFailure>& failures) const {
  Record right = record_;
  right.chains_failed = static_cast<int>(failures.size());
  const Task& task = record_.task;
  const bool of_all_items = task.is_run() && in_files_.has_inputs && outcome_.resumed_items == 0 &&
                            outcome_.enough_items == 0;
  if (!of_all_items) return right;
  const bool may_have_ended = task.run().may_end_early() || task.run().walker->open_end;
  if (record_.ok() && may_have_ended) return right;
  Outcome outcome;
  outcome.failures = failures;
  const Record asked = record_of({task, record_.ending, std::move(outcome)});
  right.problem = asked.problem;
  if (record_.ok() && task.has_own_times()) return right;
  right.ideal_s = asked.ideal_s;
  right.bound_s = asked.bound_s;
  return right;
}

/// Checks the figures of a run without stored groups that follow from its parameters.
void TaskCheck::check_without_groups(const std::vector<ChainFailure>& failures) {
  const double makespan_s = record_.makespan_s;
  must(is_time(makespan_s), "makespan_s", makespan_s);
  if (record_.task.is_real()) check_wall_time(makespan_s, "the last item ended");
  check_cells(as_asked(failures));
}

void TaskCheck::check_regroups(std::span<const GroupLife> lives) {
  const bool written = record_.ending.events != EventDetail::none;
  if (written != !in_files_.regroups.rows.empty()) {
    return wrong(written ? "regroups.csv has no rows of it" : "regroups.csv has rows of it");
  }
  if (!written) return;
  const auto& rows = in_files_.regroups.rows;
  const RegroupStatistics right = lives.empty()
                                      ? regroup_statistics(Regroups(rows.begin(), rows.end()))
                                      : regroup_statistics(lives, record_.task.ranks);
  std::int64_t processes = 0;
  for (const auto& [regroupings, number] : rows) processes += number;
  const auto same = [](const auto& a, const auto& b) {
    return a.first == b.first && a.second == b.second;
  };
  const bool equal = std::ranges::equal(rows, right.processes, same);
  if (!equal || processes != record_.task.ranks) {
    return wrong_in(in_files_.regroups, 0,
                    "not the regroupings of all its processes in ascending order");
  }
  must(record_.regroups.average == right.average, "regroups_avg", record_.regroups.average);
  must(record_.regroups.deviation == right.deviation, "regroups_stdev", record_.regroups.deviation);
  must(record_.regroups.min == right.min, "regroups_min", record_.regroups.min);
  must(record_.regroups.max == right.max, "regroups_max", record_.regroups.max);
}

/// Reads the reports of chains and, if stored, their draws. Returns whether they are possible.
bool TaskCheck::find_reports(Outcome& outcome) {
  const Block<ReportRow>& block = in_files_.chains;
  const auto& names = record_.task.run().walker->quantities;
  std::vector<std::size_t> rows;  // the first row of each report
  const std::size_t reports = block.rows.size() - outcome.failures.size();
  for (std::size_t i = 0; i < reports; ++i) {
    const ReportRow& row = block.rows[i];
    const std::size_t place = names.empty() ? 0 : i % names.size();
    if (place == 0) {
      outcome.reports.push_back({row.chain, row.items, row.hash, {}, {}});
      rows.push_back(i);
    }
    ChainReport& report = outcome.reports.back();
    report.quantities.push_back(row.moments);
    const bool fits = !names.empty() && row.quantity == names[place] &&
                      row.chain == report.number && row.items == report.items &&
                      row.hash == report.hash;
    if (fits) continue;
    wrong_in(block, i, "impossible report of a chain");
    return false;
  }
  if (!find_draws(outcome)) return false;
  const auto impossible = first_impossible(record_.task, outcome.reports);
  if (impossible) wrong_in(block, rows[*impossible], "impossible report of a chain");
  return !impossible;
}

bool TaskCheck::find_draws(Outcome& outcome) {
  if (outcome.reports.empty() || !report_plan_of(record_.task).keep_draws) return true;
  const auto& names = record_.task.run().walker->quantities;
  std::vector<double> draws;
  std::span<const double> rest;
  for (std::size_t i = 0; i < outcome.reports.size(); ++i) {
    ChainReport& report = outcome.reports[i];
    const std::string path = draws_path(directory_.path, in_files_.cells.front(), report.number);
    const bool last =
        i + 1 == outcome.reports.size() || outcome.reports[i + 1].number != report.number;
    if (i == 0 || outcome.reports[i - 1].number != report.number) {
      const auto text = read_file(path);
      if (!text) {
        faults_.add(path, 0, named("is missing"));
        return false;
      }
      try {
        draws = draws_in(*text, names);
      } catch (const std::invalid_argument& error) {
        faults_.add(path, 0, named(error.what()));
        return false;
      }
      rest = draws;
    }
    const std::size_t numbers = static_cast<std::size_t>(report.samples()) * names.size();
    if (numbers > rest.size() || (last && numbers < rest.size())) {
      faults_.add(path, 0,
                  named("the number of draws differs from that in the reports of the chain"));
      return false;
    }
    report.draws.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(numbers));
    rest = rest.subspan(numbers);
    std::vector<Moments> right(names.size());
    for (std::size_t k = 0; k < numbers; ++k) right[k % names.size()].add(report.draws[k]);
    for (Moments& moments : right) moments = moments.rounded();
    if (right != report.quantities) {
      faults_.add(path, 0, named("the draws differ from those in the reports of the chain"));
      return false;
    }
  }
  return true;
}

void TaskCheck::check_reports(const Outcome& outcome) {
  const Run& run = record_.task.run();
  if (!run.may_end_early()) return;
  const std::int64_t right =
      items_until_met(outcome.reports, run.walker->quantity_names(), run.report_every,
                      {run.until_r_hat, run.until_effective_samples}, outcome.failures);
  must(outcome_.enough_items == right, "enough_items", outcome_.enough_items);
}

/// Checks the samples and, if all were stored, the figures that follow from them.
void TaskCheck::check_samples() {
  const Measurement& measurement = record_.task.measurement();
  Record right = record_;
  Samples samples;
  for (const auto& [time, sample] : in_files_.samples.rows) samples[time].push_back(sample);
  const auto taken = static_cast<std::size_t>(measurement.options.integer("samples"));
  for (const auto& [time, all] : samples) {
    const auto known = std::ranges::find(measurement.kind->times, time, &SampledTime::name);
    if (known == measurement.kind->times.end()) {
      return wrong_in(in_files_.samples, 0, fmt::format("unknown time {}", time));
    }
    double began_s = 0;
    std::int64_t number = 0;
    for (const Sample& sample : all) {
      const bool next = taken > most_kept ? sample.number > number : sample.number == number + 1;
      if (!next || sample.began_s < began_s || !std::isfinite(sample.began_s + sample.value_s) ||
          (sample.value_s < 0 && !known->is_difference)) {
        return wrong_in(in_files_.samples, 0,
                        fmt::format("impossible sample {} of {}", sample.number, time));
      }
      began_s = sample.began_s;
      number = sample.number;
    }
    check_wall_time(began_s, "a sample began");
    if (taken <= most_kept && all.size() != taken) {
      return wrong_in(in_files_.samples, 0,
                      fmt::format("{} samples of {} instead of {}", all.size(), time, taken));
    }
  }
  if (taken <= most_kept) {
    for (const auto& [name, value] : figures_of(*measurement.kind, samples)) {
      right.outcome.figures[name] = value;
    }
  }
  for (const auto& [name, value] : outcome_.figures) must(std::isfinite(value), name, value);
  check_cells(right);
}

// ---- a directory

/// Compares the results of chains between the runs of a directory. Runs of the same walkers with
/// the same items and random numbers must agree, whatever their balancer and number of ranks.
class ChainsCheck {
 public:
  void compare(const Directory& directory, std::size_t line, const Record& record, Faults& faults) {
    if (!record.ok() || record.outcome.chains_hash.empty()) return;
    if (record.chains_failed > 0) return;  // the hash may be of other chains
    const Task& task = record.task;
    const Run& run = task.run();
    std::string key = fmt::format("{} {}", problem_of(initial_items(task)), chains_of(task));
    if (run.may_end_early()) {
      key += fmt::format(" every {} thin {} keep {} until {} {}", run.report_every, run.thin,
                         run.keep_draws, run.until_r_hat, run.until_effective_samples);
    }
    const auto [first, is_new] = first_.try_emplace(key, record.outcome.chains_hash);
    if (is_new || first->second == record.outcome.chains_hash) return;
    faults.add(
        directory.table, line,
        fmt::format("{}: chains_hash {} differs from {} of an earlier run with the same problem",
                    describe(task), record.outcome.chains_hash, first->second));
  }

 private:
  std::map<std::string, std::string> first_;  // hash, by everything that chains depend on
};

/// Checks `tasks` on all cores, and adds faults in the order of tasks.
void check_all(const Directory& directory, std::vector<TaskInFiles>& tasks, Faults& faults) {
  std::vector<Faults> found(tasks.size());
  std::vector<std::exception_ptr> errors(tasks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        TaskCheck(directory, tasks[i], found[i]).check();
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const auto others =
        start_threads(std::min(cores, std::max<std::size_t>(1, tasks.size())) - 1, work);
    work();
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    faults.add(found[i]);
  }
  tasks.clear();
}

/// Returns the invocations in provenance.yaml. Checks the hash of each configuration.
std::set<int> check_provenance(const std::string& directory, Faults& faults) {
  std::set<int> known;
  for (const ProvenanceDocument& document : read_documents(directory)) {
    known.insert(document.invocation);
    const auto value = [&](const char* key) {
      const auto found = document.values.find(key);
      return found == document.values.end() ? "" : found->second;
    };
    if (hash_text(value("configuration")) != value("configuration_hash")) {
      faults.add(directory + "/provenance.yaml", static_cast<std::size_t>(document.line),
                 "the configuration does not match its hash");
    }
  }
  return known;
}

/// Checks that the file of a place exists, and describes it.
void check_place(const std::string& directory, const std::string& placement, Faults& faults) {
  const PlaceFile place{placement, ""};
  const std::string path = directory + "/" + place.name();
  const auto text = read_file(path);
  if (!text) {
    faults.add(path, 0, "is missing");
  } else if (placement_in(*text) != placement) {
    faults.add(path, 0, "the file describes another place");
  }
}

Snapshot snapshot_of(const Directory& directory, Faults& faults) {
  Snapshot snapshot;
  snapshot.writer = holder_of_lock(directory.path);
  CsvReader reader(directory.table);
  for (; reader.next(); ++snapshot.rows) {
    if (snapshot.positions.try_emplace(reader.row()["run"], snapshot.rows).second) continue;
    faults.add(directory.table, reader.row().line, "duplicate row of a task");
  }
  if (snapshot.writer.empty()) reader.fail_if_torn();
  return snapshot;
}

struct Count {
  std::size_t rows = 0;
  std::size_t ok = 0;
};

Count check_rows(const Directory& directory, const MeasurementKind* kind, const Catalog& catalog,
                 Faults& faults) {
  constexpr std::size_t most_groups = 1 << 17;  // that are held at a time
  const Snapshot snapshot = snapshot_of(directory, faults);
  const std::set<int> invocations = check_provenance(directory.path, faults);
  const auto beside = [&](std::string_view file, bool exists, auto read) {
    using Content = decltype(read(std::declval<const CsvRow&>()));
    return Beside<Content>(directory.path, file, exists, snapshot, read, faults);
  };
  const bool runs = kind == nullptr;
  auto events = beside("events.csv", runs, life_of);
  auto regroups = beside("regroups.csv", runs, regroups_of);
  auto chains = beside("chains.csv", runs, report_in);
  auto quantities = beside("quantities.csv", runs, line_of);
  auto samples = beside("samples.csv", !runs, sample_in);
  InputFiles files;
  ChainsCheck chains_check;
  std::set<std::string> places;
  std::vector<TaskInFiles> tasks;
  std::size_t groups = 0;
  Count count;
  const auto take = [&](const CsvRow& row, Record record) {
    TaskInFiles task{row.line, {}, std::move(record), true, {}, {}, {}, {}, {}};
    for (const Column& column : directory.columns) task.cells.push_back(row[column.name]);
    const std::string& id = task.cells.front();
    if (snapshot.positions.at(id) != count.rows++) return;  // reported by snapshot_of()
    if (!invocations.contains(task.record.invocation)) {
      faults.add(directory.table, row.line,
                 fmt::format("provenance.yaml has no invocation {}", task.record.invocation));
    }
    if (task.record.ok()) ++count.ok;
    if (task.record.task.is_run()) {
      files.read(task.record.task);
      task.has_inputs = files.hash(task.record.task) == task.record.task.run().inputs;
      if (task.has_inputs) chains_check.compare(directory, row.line, task.record, faults);
    }
    task.events = events.take(id);
    task.regroups = regroups.take(id);
    task.chains = chains.take(id);
    task.quantities = quantities.take(id);
    task.samples = samples.take(id);
    const std::string& placement = task.record.outcome.where.placement;
    if (!placement.empty()) places.insert(placement);
    // Without events it may be simulated again, with about as many groups as ranks.
    groups += task.events.rows.empty() ? static_cast<std::size_t>(task.record.task.ranks)
                                       : task.events.rows.size();
    tasks.push_back(std::move(task));
    if (groups < most_groups) return;
    check_all(directory, tasks, faults);
    groups = 0;
  };
  each_record(directory.path, kind, catalog, take, snapshot.rows);
  check_all(directory, tasks, faults);
  for (const std::string& placement : places) check_place(directory.path, placement, faults);
  std::set<std::string> meanwhile;
  events.end(meanwhile);
  regroups.end(meanwhile);
  chains.end(meanwhile);
  quantities.end(meanwhile);
  samples.end(meanwhile);
  if (!snapshot.writer.empty()) {
    faults.unchecked(fmt::format("{} added by a running sweep: {}",
                                 counted(meanwhile.size(), kind == nullptr ? "run" : "measurement"),
                                 snapshot.writer));
  }
  return count;
}

/// Returns the inodes of the table files: a sweep that starts again replaces them.
std::vector<std::uint64_t> identities(const Directory& directory, const MeasurementKind* kind,
                                      const Catalog& catalog) {
  std::vector<std::uint64_t> all;
  for (const TableFile& table : files_of(kind, catalog)) {
    struct stat file {};
    stat(fmt::format("{}/{}", directory.path, table.name).c_str(), &file);
    all.push_back(file.st_ino);
  }
  return all;
}

/// Verifies results, and again if they were replaced meanwhile.
Count check_results(const Directory& directory, const MeasurementKind* kind, const Catalog& catalog,
                    Faults& faults) {
  constexpr int tries = 20;
  for (int left = tries;; --left) {
    faults = Faults();
    const auto before = identities(directory, kind, catalog);
    const auto replaced = [&] { return identities(directory, kind, catalog) != before; };
    try {
      const Count count = check_rows(directory, kind, catalog, faults);
      if (faults.count() == 0 || left == 0 || !replaced()) return count;
    } catch (const UserError&) {  // files may be missing while a sweep begins
      if (left == 0 || (!replaced() && holder_of_lock(directory.path).empty())) throw;
      sleep_for(0.05);
    }
  }
}

}  // namespace

int verify(const std::string& directory, const Catalog& catalog) {
  const MeasurementKind* kind = kind_in(directory, catalog);
  const Directory about{directory, directory + "/" + file_of(kind), columns_of(kind, catalog)};
  Faults faults;
  const Count count = check_results(about, kind, catalog, faults);
  if (count.rows == 0 && holder_of_lock(directory).empty()) {
    throw UserError(fmt::format("{}: there are no rows", about.table));
  }
  faults.print();
  if (faults.count() > 0) {
    fmt::print("{}: {} violation{}\n", directory, faults.count(), faults.count() == 1 ? "" : "s");
    return 1;
  }
  fmt::print("{}: {} of {} {} verified{}\n", directory, count.ok, count.rows,
             kind == nullptr ? "runs" : "measurements",
             count.ok == count.rows ? "" : "; the others did not end well");
  return 0;
}

}  // namespace regroup
