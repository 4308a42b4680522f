// SPDX-License-Identifier: BSD-3-Clause
#include "driver/check/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driver/config/read_experiment.hpp"
#include "driver/execute/engines.hpp"
#include "driver/store/columns.hpp"
#include "driver/store/inventory.hpp"
#include "driver/store/record.hpp"
#include "driver/store/result_files.hpp"
#include "driver/store/run_files.hpp"
#include "driver/version.hpp"
#include "engines/audit/audit.hpp"
#include "engines/virtual/engine.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "measurements/bench.hpp"
#include "regroup/catalog.hpp"
#include "regroup/numbers.hpp"
#include "regroup/outcome.hpp"
#include "regroup/workload.hpp"

namespace regroup {
namespace {

constexpr std::size_t shown = 20;

}  // namespace

void Faults::add(const std::string& path, std::size_t line, const std::string& what) {
  if (++count_ > shown) return;
  first_.push_back(line == 0 ? fmt::format("{}: {}", path, what)
                             : fmt::format("{}:{}: {}", path, line, what));
}

void Faults::add(const Faults& others) {
  count_ += others.count_;
  for (const std::string& fault : others.first_) {
    if (first_.size() < shown) first_.push_back(fault);
  }
  for (const auto& [what, times] : others.unchecked_) unchecked(what, times);
}

void Faults::print() const {
  // They may quote what somebody wrote: names of files, and what stands in the provenance.
  for (const std::string& fault : first_) fmt::print("{}\n", one_line(fault));
  if (count_ > first_.size()) fmt::print("… and {} more\n", count_ - first_.size());
  for (const auto& [what, times] : unchecked_) {
    fmt::print("not checked: {}{}\n", one_line(what),
               times > 1 ? fmt::format(" ({} times)", times) : "");
  }
}

namespace {

/// What a row tells as a fact of its own must fit the engine, the strategy and the walker all the
/// same: tells `wrong` what does not.
void check_facts(const Scenario& scenario, const Outcome& outcome,
                 const std::function<void(const std::string&)>& wrong);

/// A row that cannot be, and its place among those of the run.
struct WrongRow {
  std::size_t place;
  std::string what;
};

/// Reports come chain by chain, of growing numbers of items: every `every`th, and the last of each.
/// `items`: what the walkers of this run executed; where it is `resumed`, beside what was before.
std::optional<WrongRow> find_wrong_report(std::span<const ChainReport> reports, int every,
                                          std::span<const std::int64_t> items, bool resumed);

/// Rows of regroups.csv: numbers of regroupings ascend, and each has processes.
using RegroupRows = std::vector<std::pair<std::int64_t, std::int64_t>>;
/// `right`: what they must tell.
std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, const Regroups& right);
/// Where nothing else tells: in all they have so many processes.
std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, int ranks);

/// Rows of samples.csv come time by time. `samples`: how many were taken of each, of which those
/// are there that are kept.
std::optional<WrongRow> find_wrong_samples(std::span<const SampleRow> rows, std::size_t samples);

bool is_way_to_wait(const Scenario& scenario, const EngineEntry& engine, std::string_view waited) {
  if (engine.exact) return waited == "virtual";
  if (!engine.real) return waited == "direct";
  if (scenario.waiting == "direct") return waited == "direct";
  return waited == "polite" || waited == "wrapper" ||
         (waited == "direct" && scenario.waiting == "auto");
}

void check_facts(const Scenario& scenario, const Outcome& outcome,
                 const std::function<void(const std::string&)>& wrong) {
  const auto must = [&](bool condition, std::string_view what, const auto& value) {
    if (!condition) wrong(fmt::format("{} is '{}'", what, value));
  };
  const EngineEntry& engine = engine_of(scenario);
  const bool real = engine.real;
  const bool simulated = engine.exact;
  const Strategy* strategy = find_entry(standard_catalog().strategies, scenario.communicator);
  // Groups that nobody regroups have communicators of MPI's where they are no ranges.
  const bool of_mpi =
      !simulated &&
      (strategy != nullptr ? !strategy->local() : starting_groups(scenario).with_gap() != nullptr);
  must(outcome.library.empty() == simulated, "mpi_library", outcome.library);
  must(is_way_to_wait(scenario, engine, outcome.waiting), "waited", outcome.waiting);
  must(!simulated || outcome.setup_s == 0, "setup_s", outcome.setup_s);
  must(of_mpi ? outcome.communicators_alive_max > 0 : outcome.communicators_alive_max == 0,
       "communicators_alive_max", outcome.communicators_alive_max);
  must(outcome.communicators_left == 0, "communicators_left", outcome.communicators_left);
  const WalkerEntry& walker = *find_entry(standard_catalog().walkers, scenario.walker.name);
  const bool has_state = walker.state_bytes(scenario.walker.options) > 0;
  must(has_state && !simulated ? hash_from(outcome.chains_hash).has_value()
                               : outcome.chains_hash.empty(),
       "chains_hash", outcome.chains_hash);
  must(has_state ? outcome.hand_over_bytes >= 0 : outcome.hand_over_bytes == 0, "hand_over_bytes",
       outcome.hand_over_bytes);
  must(outcome.hand_over_s >= 0 && std::isfinite(outcome.hand_over_s), "hand_over_s",
       outcome.hand_over_s);
  must(outcome.enough_items >= 0 && (scenario.may_end_early() || outcome.enough_items == 0),
       "enough_items", outcome.enough_items);
  must(outcome.resumed_items >= 0 && (scenario.save_every > 0 || outcome.resumed_items == 0),
       "resumed_items", outcome.resumed_items);
  must(real ? outcome.cpu_s >= 0 && std::isfinite(outcome.cpu_s) : outcome.cpu_s == 0, "cpu_s",
       outcome.cpu_s);
  must(real ? outcome.clock_error_us >= 0 && std::isfinite(outcome.clock_error_us)
            : outcome.clock_error_us == 0,
       "clock_error_us", outcome.clock_error_us);
  must(scenario.costs.name.empty() != simulated, "costs", scenario.costs.name);
}

std::optional<WrongRow> find_wrong_report(std::span<const ChainReport> reports, int every,
                                          std::span<const std::int64_t> items, bool resumed) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const ChainReport& report = reports[i];
    const auto no = [&](std::string_view what) {
      return WrongRow{
          i, fmt::format("chain {} after {} items: {}", report.number, report.items, what)};
    };
    if (every == 0) return no("a report of a run that makes none");
    if (report.number < 0 || static_cast<std::size_t>(report.number) >= items.size()) {
      return no("there is no such chain");
    }
    const bool last = i + 1 == reports.size() || reports[i + 1].number != report.number;
    if (!last && reports[i + 1].items <= report.items) return no("its next has no more items");
    if (i > 0 && reports[i - 1].number > report.number) return no("it comes after a later chain");
    if (report.items < 1 || (!last && report.items % every != 0)) {
      return no(fmt::format("reports come every {} items", every));
    }
    if (!resumed && report.items > items[static_cast<std::size_t>(report.number)]) {
      return no("it had no so many");
    }
    if (report.samples < 1 || !(report.variance >= 0) ||
        !std::isfinite(report.mean + report.variance)) {
      return no("these are no samples");
    }
    if (report.accepted < 0 || report.accepted > report.proposed) {
      return no("more moves were accepted than proposed");
    }
  }
  return std::nullopt;
}

std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, const Regroups& right) {
  auto expected = right.begin();
  for (std::size_t i = 0; i < rows.size(); ++i, ++expected) {
    if (expected == right.end()) return WrongRow{i, "a row more than its groups tell"};
    if (rows[i] == std::pair(expected->first, expected->second)) continue;
    return WrongRow{
        i, fmt::format("{} processes with {} regroupings, but its groups tell of {} with {}",
                       rows[i].second, rows[i].first, expected->second, expected->first)};
  }
  if (expected == right.end()) return std::nullopt;
  return WrongRow{0, fmt::format("its groups tell also of {} processes with {} regroupings",
                                 expected->second, expected->first)};
}

std::optional<WrongRow> find_wrong_regroups(const RegroupRows& rows, int ranks) {
  std::int64_t left = ranks;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [regroupings, processes] = rows[i];
    const bool ascends = i == 0 ? regroupings >= 0 : regroupings > rows[i - 1].first;
    if (!ascends) return WrongRow{i, fmt::format("{} regroupings do not come here", regroupings)};
    if (processes < 1 || processes > left) {
      return WrongRow{i, fmt::format("{} processes, where {} are left", processes, left)};
    }
    left -= processes;
  }
  if (left == 0) return std::nullopt;
  return WrongRow{0, fmt::format("{} processes are in none of the rows", left)};
}

std::optional<WrongRow> find_wrong_samples(std::span<const SampleRow> rows, std::size_t samples) {
  const std::size_t kept = kept_of(samples);
  const auto every = static_cast<std::int64_t>(kept_every(samples));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [figure, sample] = rows[i];
    const auto no = [&](std::string_view what) {
      return WrongRow{i, fmt::format("sample {} of {}: {}", sample.number, figure, what)};
    };
    const std::size_t place = i % kept;
    if (place > 0 ? figure != rows[i - 1].figure : i > 0 && figure <= rows[i - 1].figure) {
      return no(fmt::format("it must be one of {} of its figure", kept));
    }
    const auto right = static_cast<std::int64_t>(place) * every + 1;
    if (sample.number != right) return no(fmt::format("it must be sample {}", right));
    const double earliest = place == 0 ? 0 : rows[i - 1].sample.began_s;
    if (!(sample.began_s >= earliest) || !std::isfinite(sample.began_s)) {
      return no(
          fmt::format("it began at {} s, and the one before at {} s", sample.began_s, earliest));
    }
    const bool may_be_negative = find_entry(sampled_times(), figure)->is_difference;
    if (!std::isfinite(sample.value_s) || (sample.value_s < 0 && !may_be_negative)) {
      return no(fmt::format("it took {} s", sample.value_s));
    }
  }
  if (rows.size() % kept == 0) return std::nullopt;
  return WrongRow{rows.size() - 1,
                  fmt::format("there are fewer than {} samples of {}", kept, rows.back().figure)};
}

/// What the times of `run` must keep to, by its configuration and its engine's clock.
TimeLaw law_of(const Scenario& run);

/// The least time that the items of a group take, by the configuration.
double least_s(const ItemTime& time, const GroupLife& life) {
  constexpr std::int64_t most = 1'000'000;  // of items that vary: as many are enough to tell
  const std::int64_t done = life.items_before - life.items_after;
  if (!time.varies()) return static_cast<double>(done) * time.seconds(life.ranks.size());
  double sum = 0;
  for (std::int64_t item = 0; item < std::min(done, most); ++item) {
    sum += time.seconds(life.ranks.size(), life.walker, life.items_before - item);
  }
  return sum;
}

TimeLaw law_of(const Scenario& run) {
  const auto time = std::make_shared<ItemTime>(resolve_item_time(run));
  const Strategy* strategy = find_entry(standard_catalog().strategies, run.communicator);
  const EngineEntry& engine = engine_of(run);
  TimeLaw law;
  law.resolution_s = 1e-7;
  double item_rounding_s = 1e-7;
  double share = 1;
  if (engine.exact) {
    law.resolution_s = 1e-9;
    item_rounding_s = 1e-12;
  } else {
    law.forms_after_its_parts = strategy == nullptr || !strategy->local();
  }
  if (engine.real) {
    // Clocks of several hosts agree to some part of a message's way, and then go on their own.
    law.clocks_apart_s = 1e-3;
    law.clocks_drift = 1e-4;
    // An item that is measured by processor time, whose clock is another one.
    const WalkerEntry& walker = *find_entry(standard_catalog().walkers, run.walker.name);
    if (!walker.smpi) share = 0.999;
    if (!walker.timed) share = 0;
  }
  law.least_s = [=](const GroupLife& life) {
    const double items = static_cast<double>(life.items_before - life.items_after);
    return std::max(0.0, share * least_s(*time, life) - items * item_rounding_s);
  };
  return law;
}

/// Compares what the chains of the runs of a directory came to. Runs of the same walkers with the
/// same items and random numbers must agree, whatever balanced their load and on however many
/// ranks.
class ChainsCheck {
 public:
  ChainsCheck(std::string path, Faults& faults) : path_(std::move(path)), faults_(faults) {}

  /// The next row of runs.csv, and what it tells.
  void compare(const CsvRow& row, const Record& record);

 private:
  struct First {
    std::string run;
    std::string hash;
  };

  std::string path_;
  Faults& faults_;
  std::map<std::string, First> first_;  // by all that chains depend on
};

void ChainsCheck::compare(const CsvRow& row, const Record& record) {
  if (!record.outcome || record.outcome->chains_hash.empty() || !row.has("problem")) return;
  const Scenario& task = record.task;
  std::string problem(row["problem"]);
  if (record.outcome->resumed_items > 0) {
    try {
      problem = problem_of(initial_items(task));  // of all items, not of the rest
    } catch (const std::exception&) {
      return;  // it read a file that is gone
    }
  }
  std::string key = fmt::format("{} {}", problem, chains_of(task));
  if (task.may_end_early()) {
    key += fmt::format(" every {} until {} {}", task.report_every, task.until_r_hat,
                       task.until_effective_samples);
  }
  const std::string& hash = record.outcome->chains_hash;
  const auto [first, is_new] = first_.try_emplace(key, row["run"], hash);
  if (is_new || first->second.hash == hash) return;
  faults_.add(
      path_, row.line,
      fmt::format("run {} ({}): its chains came to {}, and those of run {} to {}, which had "
                  "the same to do",
                  row["run"], describe(task), hash, first->second.run, first->second.hash));
}

// Files beside that with a row for each run, or measurement: rows of one follow each other, and
// they stand in the order of their own rows there.

/// Where the row of each run, or measurement, stands in their file, counted from 0; of one that
/// stands there twice, the first.
using RowPlaces = std::unordered_map<std::string, std::size_t>;

/// Reads a file beside that of the runs, or measurements, block by block.
template <class Content>
class Beside {
 public:
  /// `main`: the name of that file.
  Beside(const std::string& path, std::string main, const RowPlaces& places,
         Content (*read)(const CsvRow&), Faults& faults)
      : main_(std::move(main)),
        reader_(path),
        places_(places),
        read_(read),
        faults_(faults),
        run_(reader_.column("run")) {
    more_ = reader_.next();
  }

  /// The rows of the run `id`, which stands at `place`.
  std::optional<Block<Content>> take(const std::string& id, std::size_t place) {
    pass_over_those_before(place);
    if (!more_ || reader_.row().fields[run_] != id) return std::nullopt;
    Block<Content> block{reader_.row().line, {}};
    for (; more_ && reader_.row().fields[run_] == id; more_ = reader_.next()) {
      block.rows.push_back(read_(reader_.row()));
    }
    return block;
  }

  /// What is left belongs to no run. Where the sweep has not ended, rows of one run may be ahead of
  /// its own row, which comes last.
  void end(bool unfinished) {
    pass_over_those_before(places_.size());
    if (unfinished && foreign_) {
      faults_.unchecked(fmt::format("{}:{}: {}: the sweep has not ended", reader_.path(),
                                    foreign_->line, foreign_->what));
      foreign_.reset();
    }
    tell_foreign();
    check_end(reader_, unfinished, faults_);
  }

 private:
  struct Foreign {
    std::size_t line;
    std::string what;
  };

  void pass_over_those_before(std::size_t place) {
    std::string last;
    for (; more_; more_ = reader_.next()) {
      const std::string& id = reader_.row().fields[run_];
      const auto known = places_.find(id);
      if (known != places_.end() && known->second >= place) break;
      if (foreign_ && id == last) continue;
      tell_foreign();
      last = id;
      foreign_ = {reader_.row().line,
                  known == places_.end()
                      ? fmt::format("rows of a run {}, which {} does not have", id, main_)
                      : fmt::format("rows of run {} that do not stand with its others, or not in "
                                    "the order of {}",
                                    id, main_)};
    }
    if (more_) tell_foreign();
  }

  void tell_foreign() {
    if (foreign_) faults_.add(reader_.path(), foreign_->line, foreign_->what);
    foreign_.reset();
  }

  std::string main_;
  CsvReader reader_;
  const RowPlaces& places_;
  Content (*read_)(const CsvRow&);
  Faults& faults_;
  std::size_t run_;
  bool more_ = false;
  std::optional<Foreign> foreign_;  // rows that were passed over last
};

inline RowPlaces places_of_rows(const std::string& path, bool unfinished, Faults& faults) {
  RowPlaces places;
  CsvReader reader(path);
  const std::size_t run = reader.column("run");
  for (std::size_t place = 0; reader.next(); ++place) {
    const std::string& id = reader.row().fields[run];
    if (!places.try_emplace(id, place).second) {
      faults.add(path, reader.row().line, fmt::format("run {} stands there before", id));
    }
  }
  check_end(reader, unfinished, faults);
  return places;
}

}  // namespace

/// The check of one run: its row (run.cpp), and what its groups did (run_groups.cpp).
class RunCheck {
 public:
  explicit RunCheck(RunInFiles run);

  Faults faults() &&;

 private:
  std::string path(std::string_view file) const;
  std::string named(const std::string& what) const;
  void wrong(const std::string& what);
  void wrong_event(std::size_t line, const std::string& what);
  void wrong_regroups(std::size_t line, const std::string& what);
  std::string cell(std::string_view column) const;
  std::string by() const;

  bool is_named_right();
  void check_numbers_of_rows();
  void check_that_it_did_nothing();
  void check_what_it_did();
  void check_cells();
  void check_wall_time();
  void check_reports();
  void check_end(const Outcome& outcome);
  std::string lacks() const;
  double setup_s() const;

  bool take_groups();
  bool check_events();
  void refuse_first(auto refused, const std::string& what);
  void check_regroups();
  bool simulate_instead();
  void simulate_again();
  GroupFigures told_figures() const;
  std::vector<GroupLife>& lives() { return record_.outcome->lives; }
  Items executed() const;
  bool executed_are_known() const;

  RunInFiles run_;
  Record& record_;
  Scenario& scenario_;
  const EngineEntry& engine_;
  std::vector<std::int64_t> items_;  // of all groups at the start; none where not known
  GroupFigures groups_;              // that the row must tell
  Faults faults_;
};

RunCheck::RunCheck(RunInFiles run)
    : run_(std::move(run)),
      record_(run_.record),
      scenario_(record_.task),
      engine_(engine_of(scenario_)) {}

Faults RunCheck::faults() && {
  check_numbers_of_rows();
  if (!is_named_right()) return std::move(faults_);
  if (run_.inputs_are_there) {
    items_ = initial_items(scenario_);
  } else if (scenario_.speedup.options.has("items_file")) {
    faults_.unchecked("runs whose speed-up was measured in a file that is gone or has changed");
    return std::move(faults_);
  } else {
    faults_.unchecked("the items of runs that read files which are gone or have changed");
  }
  if (const auto complaint = complaint_about_message(record_); !complaint.empty()) {
    wrong(std::string(complaint));
  }
  record_.outcome ? check_what_it_did() : check_that_it_did_nothing();
  return std::move(faults_);
}

std::string RunCheck::path(std::string_view file) const {
  return fmt::format("{}/{}", run_.directory, file);
}
std::string RunCheck::named(const std::string& what) const {
  return fmt::format("run {} ({}): {}", run_.id, describe(scenario_), what);
}
void RunCheck::wrong(const std::string& what) {
  faults_.add(path("runs.csv"), run_.line, named(what));
}
void RunCheck::wrong_event(std::size_t line, const std::string& what) {
  faults_.add(path("events.csv"), line, named(what));
}
void RunCheck::wrong_regroups(std::size_t line, const std::string& what) {
  faults_.add(path("regroups.csv"), line, named(what));
}

void RunCheck::check_numbers_of_rows() {
  for (const auto& [column, rows] :
       {std::pair("events_rows", run_.events ? run_.events->rows.size() : 0),
        std::pair("regroups_rows", run_.regroups ? run_.regroups->rows.size() : 0),
        std::pair("chains_rows", run_.chains ? run_.chains->rows.size() : 0)}) {
    const std::string told = cell(column);
    if (!told.empty() && told != std::to_string(rows)) {
      wrong(fmt::format("{} is '{}', but there are {}", column, told, rows));
    }
  }
}

/// Whether its name is that of its parameters; if not, there is no telling which are wrong.
bool RunCheck::is_named_right() {
  if (!record_.whole) {
    faults_.unchecked("names of runs of which no column tells some parameters");
    return true;
  }
  if (!run_.inputs_are_known) {
    faults_.unchecked("names of runs that read files: there is no column 'inputs_hash'");
    return true;
  }
  const std::string right = fingerprint(scenario_);
  if (run_.id == right) return true;
  wrong(fmt::format("its parameters are those of a run {}", right));
  return false;
}

void RunCheck::check_that_it_did_nothing() {
  if (run_.events) wrong_event(run_.events->line, "events of a run that did not end well");
  if (run_.regroups) {
    wrong_regroups(run_.regroups->line, "regroupings of a run that did not end well");
  }
  if (run_.chains) {
    faults_.add(path("chains.csv"), run_.chains->line,
                named("what chains of a run that did not end well observed"));
  }
  const std::string lacking = lacks();
  if (record_.status == Status::unsupported && !engine_.real && record_.message != lacking) {
    wrong(fmt::format("it is called unsupported for another reason than '{}'", lacking));
  }
  check_cells();
}

void RunCheck::check_what_it_did() {
  if (!engine_.real && !lacks().empty()) {
    wrong(fmt::format("it cannot have ended well: {}", lacks()));
  }
  if (!take_groups()) return;
  check_regroups();
  check_reports();
  check_cells();
  check_facts(scenario_, *record_.outcome, [this](const std::string& what) { wrong(what); });
  check_wall_time();
  if (engine_.exact && run_.events) simulate_again();
}

void RunCheck::check_reports() {
  if (!run_.chains) return;
  Outcome& outcome = *record_.outcome;
  outcome.reports = std::move(run_.chains->rows);
  const auto wrong_one = find_wrong_report(outcome.reports, scenario_.report_every, executed(),
                                           outcome.resumed_items > 0);
  if (!wrong_one) return check_end(outcome);
  faults_.add(path("chains.csv"), run_.chains->line + wrong_one->place, named(wrong_one->what));
}

/// Whether it ended when it should. The reports are in order.
void RunCheck::check_end(const Outcome& outcome) {
  if (!scenario_.may_end_early()) return;
  const std::int64_t right =
      items_until_met(outcome.reports, scenario_.report_every,
                      {scenario_.until_r_hat, scenario_.until_effective_samples});
  if (outcome.enough_items == right) return;
  wrong(fmt::format("enough_items is '{}', but the reports say {}", outcome.enough_items, right));
}

/// Writes the row anew. What is a fact of its own comes out as it was.
void RunCheck::check_cells() {
  constexpr std::array of_items{"ideal_s", "bound_s", "problem", "efficiency", "of_bound"};
  const bool from_items = !items_.empty() && executed_are_known();
  const std::vector<std::string> names = names_of(columns_of("run"));
  const std::vector<std::string> right = fields_of(record_, items_, groups_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = std::ranges::find(run_.columns, names[i]);
    if (column == run_.columns.end() || names[i] == "regroup_version") continue;
    if (names[i] == "run" && !record_.whole) continue;
    if (!from_items && std::ranges::count(of_items, names[i]) > 0) continue;
    const std::string& cell = run_.fields[static_cast<std::size_t>(column - run_.columns.begin())];
    if (cell != right[i]) {
      wrong(fmt::format("{} is '{}' instead of '{}'", names[i], cell, right[i]));
    }
  }
  for (const auto& [what, number] :
       {std::pair("wall_s", record_.wall_s), std::pair("memory_mb", record_.memory_mb),
        std::pair("setup_s", setup_s()), std::pair("makespan_s", groups_.makespan_s)}) {
    if (!(number >= 0) || !std::isfinite(number)) wrong(fmt::format("{} is {}", what, number));
  }
}

/// What the engine lacks for it. Another MPI library than ours may have had what ours lacks.
std::string RunCheck::lacks() const { return execution(scenario_.engine).lacks(scenario_); }

double RunCheck::setup_s() const { return record_.outcome ? record_.outcome->setup_s : 0; }

/// Real processes have no more time than the launcher saw go by.
void RunCheck::check_wall_time() {
  if (!engine_.real) return;
  if (groups_.makespan_s > record_.wall_s && lives().empty()) {
    wrong("its makespan is longer than the whole run took");
  }
  for (std::size_t i = 0; i < lives().size(); ++i) {
    const double last = std::max(lives()[i].busy_until_s, lives()[i].ended_s);
    if (last <= record_.wall_s) continue;
    return wrong_event(run_.events->line + i,
                       fmt::format("a group was there after {} s, but the whole run took {} s",
                                   last, record_.wall_s));
  }
  if (setup_s() > record_.wall_s) wrong("its set-up took longer than the whole run");
}

/// Which version wrote it, where that is another one.
std::string RunCheck::by() const {
  const std::string told = cell("regroup_version");
  return told == version ? "" : fmt::format(" (by {}, this is {})", told, version);
}

std::string RunCheck::cell(std::string_view column) const {
  const auto found = std::ranges::find(run_.columns, column);
  if (found == run_.columns.end()) return {};
  return run_.fields[static_cast<std::size_t>(found - run_.columns.begin())];
}

Faults verify_run(RunInFiles run) { return RunCheck(std::move(run)).faults(); }

// What the groups of a run did: by its events or, where none were written, by simulating it again;
// else the row and regroups.csv are all that there is.

static std::string without_end(std::string line) { return line.substr(0, line.size() - 1); }

/// Finds out what its groups did and came to; answers whether figures can be computed from that.
bool RunCheck::take_groups() {
  const bool written = record_.events == EventDetail::all;
  if (written != run_.events.has_value()) {
    written
        ? wrong("there are no events of it")
        : wrong_event(run_.events->line, "events of a run whose row says that none were written");
    return false;
  }
  if (written) {
    lives() = std::move(run_.events->rows);
    if (!check_events()) return false;
  } else if (engine_.exact && run_.inputs_are_there) {
    if (!simulate_instead()) return false;
  } else {
    faults_.unchecked("what the groups of runs did of which no events were written");
    groups_ = told_figures();
    return true;
  }
  groups_ = group_figures(*record_.outcome, scenario_.ranks);
  return true;
}

/// Answers whether figures can be computed from them.
bool RunCheck::check_events() {
  TimeLaw law = law_of(scenario_);
  // The line that sets times of other hosts right has an error at each of its ends.
  law.resolution_s += 2e-6 * record_.outcome->clock_error_us;
  if (items_.empty()) items_ = items_at_start(lives());
  if (items_.size() != walkers_of(scenario_)) {
    wrong_event(run_.events->line, fmt::format("there are {} walkers instead of {}", items_.size(),
                                               walkers_of(scenario_)));
    return false;
  }
  const RunInput start = beginning(scenario_, executed());
  const auto violation = find_violation(lives(), start.groups, start.items, &law, start.queue);
  if (violation) {
    const std::size_t row = violation->life < lives().size() ? violation->life : 0;
    wrong_event(run_.events->line + row, violation->what);
    return false;
  }
  const auto& balancer = *find_entry(standard_catalog().balancers, scenario_.balancer.name);
  if (balancer.regrouping == Regrouping::never) {
    refuse_first(&GroupLife::regrouped,
                 fmt::format("a regrouping, but balancer {} never regroups", balancer.name));
  }
  if (balancer.shapes == Shapes::ranges) {
    const auto formed = [](const GroupLife& life) {
      return life.regrouped() && !life.ranks.is_range();
    };
    refuse_first(formed,
                 fmt::format("a group with gaps, but balancer {} forms ranges", balancer.name));
  }
  return true;
}

void RunCheck::refuse_first(auto refused, const std::string& what) {
  const auto life = std::ranges::find_if(lives(), refused);
  if (life == lives().end()) return;
  wrong_event(run_.events->line + static_cast<std::size_t>(life - lives().begin()), what);
}

void RunCheck::check_regroups() {
  const bool written = record_.events != EventDetail::none;
  if (written && !run_.regroups) return wrong("regroups.csv has nothing of it");
  if (!run_.regroups) return;
  const std::size_t line = run_.regroups->line;
  if (!written) {
    return wrong_regroups(line, "regroupings of a run whose row says that none were written");
  }
  const RegroupRows& rows = run_.regroups->rows;
  const auto found = lives().empty() ? find_wrong_regroups(rows, scenario_.ranks)
                                     : find_wrong_regroups(rows, groups_.statistics.processes);
  if (found) wrong_regroups(line + found->place, found->what);
}

/// In virtual time its groups do the same once more.
bool RunCheck::simulate_instead() {
  try {
    lives() = simulate(scenario_).lives;
  } catch (const std::exception& error) {
    wrong(fmt::format("simulated again it fails: {}{}", error.what(), by()));
    return false;
  }
  const std::string across = wrong_groups(simulated_nodes_of(scenario_), record_, lives());
  if (!across.empty()) wrong(across);
  return true;
}

void RunCheck::simulate_again() {
  if (!run_.inputs_are_there) {
    return faults_.unchecked(
        "times of runs in virtual time that read files which are gone or have changed");
  }
  std::vector<GroupLife> right;
  try {
    right = simulate(scenario_).lives;
  } catch (const std::exception& error) {
    return wrong(fmt::format("simulated again it fails: {}{}", error.what(), by()));
  }
  const auto [mine, other] = std::ranges::mismatch(lives(), right);
  if (mine == lives().end() && other == right.end()) return;
  const std::size_t line = run_.events->line + static_cast<std::size_t>(mine - lives().begin());
  if (mine == lives().end() || other == right.end()) {
    return wrong_event(line, fmt::format("{} groups, but simulated again there are {}{}",
                                         lives().size(), right.size(), by()));
  }
  wrong_event(line, fmt::format("simulated again this is '{}'{}",
                                without_end(event_lines(run_.id, {&*other, 1})), by()));
}

/// What the row and regroups.csv say, where nothing tells whether it is true: at least they agree.
GroupFigures RunCheck::told_figures() const {
  const auto number = [&]<class Number>(std::string_view column, Number none) {
    return parse<Number>(cell(column)).value_or(none);
  };
  GroupFigures told;
  told.makespan_s = number("makespan_s", 0.0);
  if (run_.regroups) {
    const RegroupRows& rows = run_.regroups->rows;
    told.statistics = regroup_statistics(Regroups(rows.begin(), rows.end()));
  } else {
    told.statistics.average = number("regroups_avg", 0.0);
    told.statistics.deviation = number("regroups_stdev", 0.0);
    told.statistics.min = number("regroups_min", std::int64_t{0});
    told.statistics.max = number("regroups_max", std::int64_t{0});
  }
  return told;
}

Items RunCheck::executed() const {
  return executed_items(scenario_, items_, record_.outcome->lives, record_.outcome->resumed_items);
}

/// Whether it is known how many of its items were executed: all, unless it may end before.
bool RunCheck::executed_are_known() const {
  if (!record_.outcome || !record_.outcome->lives.empty()) return true;
  const WalkerEntry& walker = *find_entry(standard_catalog().walkers, scenario_.walker.name);
  return !scenario_.may_end_early() && !walker.open_end && record_.outcome->resumed_items == 0;
}

namespace {

// The files of a sweep are read side by side, once, from start to end: a run's rows follow each
// other in each of them, and runs stand in the order in which they stand in runs.csv. Some thousand
// groups at a time are checked on all cores.

/// Checks `runs` on all cores; what is wrong comes in their order.
void verify_all(std::vector<RunInFiles>& runs, Faults& faults) {
  std::vector<Faults> found(runs.size());
  std::vector<std::exception_ptr> errors(runs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      try {
        found[i] = verify_run(std::move(runs[i]));
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(cores, runs.size()); ++i) workers.emplace_back(work);
    work();
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (errors[i]) std::rethrow_exception(errors[i]);
    faults.add(found[i]);
  }
  runs.clear();
}

/// What the row itself says, and what is to be found of the files that the run read.
RunInFiles read_run(const std::string& directory, const CsvReader& reader, InputFiles& files) {
  const CsvRow row = reader.row();
  RunInFiles run{directory,  reader.columns(),
                 row.line,   row["run"],
                 row.fields, stored_record(row, "run"),
                 true,       true,
                 {},         {},
                 {}};
  Scenario& scenario = run.record.task;
  if (!InputFiles::of(scenario).empty()) {
    const auto now = files.hash(scenario);
    const bool told = row.has("inputs_hash");
    if (!told) scenario.inputs = now.value_or("");
    run.inputs_are_known = told || fingerprint(scenario) == run.id;
    run.inputs_are_there = now && *now == scenario.inputs && run.inputs_are_known;
  }
  return run;
}

}  // namespace

Verified verify_runs(const std::string& directory, Origins& origins, Faults& faults) {
  constexpr std::size_t most_runs = 1024;
  constexpr std::size_t most_groups = 1 << 17;

  const std::string path = directory + "/runs.csv";
  check_schema(path);
  const bool unfinished = is_unfinished(directory);
  const RowPlaces places = places_of_rows(path, unfinished, faults);
  Beside events(directory + "/events.csv", "runs.csv", places, life_of, faults);
  Beside regroups(directory + "/regroups.csv", "runs.csv", places, regroups_of, faults);
  // Earlier versions wrote none.
  std::optional<Beside<ChainReport>> reports;
  if (const std::string file = directory + "/chains.csv"; file_exists(file)) {
    reports.emplace(file, "runs.csv", places, report_in, faults);
  }
  CsvReader reader(path);
  const auto tables = Inventory::tables(files_of("run"));
  compare_columns(path, reader.columns(), names_of(tables.front().columns), faults);
  InputFiles files;
  ChainsCheck chains(path, faults);
  PlacesCheck places_check(directory, faults);
  const std::vector<GroupLife> no_lives;
  Verified verified;
  std::vector<RunInFiles> runs;
  std::size_t groups = 0;
  while (reader.next()) {
    RunInFiles run = read_run(directory, reader, files);
    origins.check(reader.row(), run.inputs_are_there);
    chains.compare(reader.row(), run.record);
    run.events = events.take(run.id, verified.rows);
    run.regroups = regroups.take(run.id, verified.rows);
    const std::span<const GroupLife> lives = run.events ? run.events->rows : no_lives;
    places_check.check(reader.row(), run.record, lives);
    if (reports) run.chains = reports->take(run.id, verified.rows);
    ++verified.rows;
    if (run.record.outcome) ++verified.ended_well;
    // Without events it may be simulated again, with as many groups.
    groups +=
        run.events ? run.events->rows.size() : static_cast<std::size_t>(run.record.task.ranks);
    runs.push_back(std::move(run));
    if (runs.size() < most_runs && groups < most_groups) continue;
    verify_all(runs, faults);
    groups = 0;
  }
  verify_all(runs, faults);
  verified.places = places_check.files();
  events.end(unfinished);
  regroups.end(unfinished);
  if (reports) reports->end(unfinished);
  return verified;
}

namespace {

/// Figures that are differences, and so may be below 0.
bool is_difference(std::string_view figure) {
  return figure.starts_with("bystander_") || figure.starts_with("hidden_fraction") ||
         figure == "late_create_s" || figure == "tell_members_s";
}

/// Figures that depend on the MPI library or on how many samples there are.
bool may_be_there(std::string_view figure) {
  return figure == "storm_lost" || figure == "constructor_calls" || figure.ends_with("messages") ||
         figure.ends_with("bytes") || figure.ends_with("_low_s") || figure.ends_with("_high_s");
}

/// Figures of which none is larger than the next one, as far as they are there.
constexpr std::array<std::array<std::string_view, 4>, 8> ascending{{
    {"create_min_s", "create_low_s", "create_median_s", "create_high_s"},
    {"free_min_s", "free_low_s", "free_median_s", "free_high_s"},
    {"time_min_s", "time_low_s", "time_median_s", "time_high_s"},
    {"bystander_low_s", "bystander_s", "bystander_high_s", ""},
    {"in_flight_low_s", "in_flight_s", "in_flight_high_s", ""},
    {"hidden_fraction_low", "hidden_fraction", "hidden_fraction_high", ""},
    {"communicators_alive_before", "communicators_alive_after", "communicators_alive_max", ""},
    {"storm_limit_common", "communicators_limit_common", "", ""},
}};

class MeasurementCheck {
 public:
  MeasurementCheck(const MeasurementKind& kind, const CsvRow& row, Faults& faults)
      : row_(row), faults_(faults), record_(stored_record(row, kind.name)) {}

  const Record& record() const { return record_; }

  /// `nodes`: those that its ranks were on, where they are known. `samples`: its rows, if any, in
  /// the file `samples_path`; of older versions there is none.
  void run(const NodeMap& nodes, const std::optional<Block<SampleRow>>& samples,
           const std::string& samples_path) {
    const std::string right = fingerprint(record_.task);
    if (!record_.whole) {
      faults_.unchecked("names of measurements of which no column tells some parameters");
    } else if (row_["run"] != right) {
      return wrong(fmt::format("its parameters are those of a measurement {}", right));
    }
    check_status();
    if (record_.outcome && needs_nodes(record_.task)) {
      const std::string why = impossible(record_.task, standard_catalog(), nodes);
      if (!why.empty()) wrong(fmt::format("it must be unsupported: {}", why));
      if (why.empty() && nodes.known()) check_figures(record_.outcome->figures, nodes);
    } else if (record_.outcome) {
      check_figures(record_.outcome->figures, nodes);
    }
    check_cells();
    check_samples(samples, samples_path);
  }

 private:
  void wrong(const std::string& what) {
    faults_.add(row_.path, row_.line,
                fmt::format("measurement {} ({}): {}", row_["run"], describe(record_.task), what));
  }

  void check_status() {
    const std::string why = impossible(record_.task);
    if (const auto complaint = complaint_about_message(record_); !complaint.empty()) {
      wrong(std::string(complaint));
    }
    if (why.empty() || (record_.status == Status::unsupported && record_.message.ends_with(why))) {
      return;
    }
    if (record_.status == Status::unsupported && record_.message.starts_with("the MPI library")) {
      return;
    }
    wrong(fmt::format("it must be unsupported: {}", why));
  }

  void check_figures(const std::map<std::string, double>& figures, const NodeMap& nodes) {
    const Figures expected = expected_figures(record_.task, nodes);
    for (const auto& [name, value] : figures) {
      if (!std::isfinite(value) || (value < 0 && !is_difference(name))) {
        wrong(fmt::format("{} is {}", name, value));
      }
      if (!expected.contains(name) && !may_be_there(name)) {
        wrong(fmt::format("there is a {}, which has no meaning here", name));
      }
    }
    for (const auto& [name, value] : expected) {
      const auto found = figures.find(name);
      if (found == figures.end()) {
        if (row_.has(name)) wrong(fmt::format("there is no {}", name));
      } else if (value && found->second != *value) {
        wrong(fmt::format("{} is {} instead of {}", name, found->second, *value));
      }
    }
    for (const auto& names : ascending) check_order(figures, names);
  }

  /// That they are those which the figures are made of.
  void check_samples(const std::optional<Block<SampleRow>>& block, const std::string& path) {
    const std::size_t there = block ? block->rows.size() : 0;
    if (!row_.has("samples_rows")) {
      return faults_.unchecked("samples of measurements: there is no column 'samples_rows'");
    }
    if (const std::string& told = row_["samples_rows"]; told != std::to_string(there)) {
      wrong(fmt::format("samples_rows is '{}', but there are {}", told, there));
    }
    const auto wrong_sample = [&](std::size_t place, const std::string& what) {
      faults_.add(path, block->line + place, fmt::format("measurement {}: {}", row_["run"], what));
    };
    if (!record_.outcome) {
      if (block) wrong_sample(0, "samples of what did not end well");
      return;
    }
    const auto taken = static_cast<std::size_t>(record_.task.measure.options.integer("samples"));
    Samples samples;
    if (block) {
      const auto found = find_wrong_samples(block->rows, taken);
      if (found) return wrong_sample(found->place, found->what);
      for (const SampleRow& row : block->rows) samples[row.figure].push_back(row.sample);
    }
    if (kept_of(taken) < taken) {
      return faults_.unchecked("figures of measurements, of whose samples not all are kept");
    }
    check_figures_of(samples);
  }

  void check_figures_of(const Samples& samples) {
    const auto& figures = record_.outcome->figures;
    const std::map<std::string, double> right = figures_of(samples);
    for (const auto& [name, value] : figures) {
      if (!comes_of_samples(name)) continue;
      const auto found = right.find(name);
      if (found == right.end()) {
        wrong(fmt::format("there are no samples that {} is of", name));
      } else if (found->second != value) {
        wrong(fmt::format("{} is {}, but its samples tell of {}", name, value, found->second));
      }
    }
    for (const auto& [name, value] : right) {
      if (!figures.contains(name)) wrong(fmt::format("there is no {}, but samples of it", name));
    }
  }

  void check_order(const std::map<std::string, double>& figures,
                   std::span<const std::string_view> names) {
    auto last = figures.end();
    for (const std::string_view name : names) {
      const auto found = figures.find(std::string(name));
      if (found == figures.end()) continue;
      if (last != figures.end() && found->second < last->second) {
        wrong(
            fmt::format("{} is {}, but {} is {}", last->first, last->second, name, found->second));
      }
      last = found;
    }
  }

  /// Writes the row anew. What is a fact of its own comes out as it was.
  void check_cells() {
    const std::vector<std::string> names = names_of(columns_of(record_.task.kind()));
    const std::vector<std::string> right = fields_of(record_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == "run" && !record_.whole) continue;
      if (!row_.has(names[i]) || names[i] == "regroup_version" || row_[names[i]] == right[i])
        continue;
      wrong(fmt::format("{} is '{}' instead of '{}'", names[i], row_[names[i]], right[i]));
    }
    const double setup_s = record_.outcome ? record_.outcome->setup_s : 0;
    if (!(record_.wall_s >= 0) || !std::isfinite(record_.wall_s)) {
      wrong(fmt::format("wall_s is {}", record_.wall_s));
    }
    if (!(setup_s >= 0) || !(setup_s <= record_.wall_s)) {
      wrong(fmt::format("setup_s is {}, wall_s {}", setup_s, record_.wall_s));
    }
    const double error_us = record_.outcome ? record_.outcome->clock_error_us : 0;
    if (!(error_us >= 0) || !std::isfinite(error_us)) {
      wrong(fmt::format("clock_error_us is {}", error_us));
    }
  }

  const CsvRow& row_;
  Faults& faults_;
  const Record record_;
};

}  // namespace

Verified verify_measurements(const MeasurementKind& kind, const std::string& directory,
                             Origins& origins, Faults& faults) {
  const std::string path = directory + "/" + file_of(kind.name);
  check_schema(path);
  CsvReader reader(path);
  const auto tables = Inventory::tables(files_of(kind.name));
  compare_columns(reader.path(), reader.columns(), names_of(tables.front().columns), faults);
  Verified verified;
  PlacesCheck places(directory, faults);
  const bool unfinished = is_unfinished(directory);
  const std::string samples_path = fmt::format("{}/{}", directory, samples_file);
  // Earlier versions wrote none.
  std::optional<Beside<SampleRow>> samples;
  const RowPlaces rows = places_of_rows(reader.path(), unfinished, faults);
  if (file_exists(samples_path)) {
    samples.emplace(samples_path, file_of(kind.name), rows, sample_in, faults);
  }
  while (reader.next()) {
    const CsvRow row = reader.row();
    MeasurementCheck check(kind, row, faults);
    const Outcome* outcome = check.record().outcome ? &*check.record().outcome : nullptr;
    const bool needed = outcome != nullptr && needs_nodes(check.record().task);
    check.run(
        needed ? places.map_of(outcome->where.placement, check.record().task.ranks) : NodeMap(),
        samples ? samples->take(row["run"], verified.rows) : std::nullopt, samples_path);
    places.check(row, check.record());
    origins.check(row, true);
    ++verified.rows;
    if (row["status"] == name(Status::ok)) ++verified.ended_well;
  }
  verified.places = places.files();
  if (samples) samples->end(unfinished);
  return verified;
}

}  // namespace regroup
