// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/verify/outcome.hpp"
#include "jobs/verify/time_law.hpp"
#include "jobs/verify/verify.hpp"
#include "jobs/version.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/audit/audit.hpp"
#include "kernel/chains/convergence_monitor.hpp"
#include "kernel/items/item_time.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {
namespace {

std::string without_end(std::string line) { return line.substr(0, line.size() - 1); }

class RunCheck {
 public:
  explicit RunCheck(RunInFiles run)
      : run_(std::move(run)),
        record_(run_.record),
        scenario_(record_.task),
        engine_(engine_of(scenario_)) {}

  Faults faults() && {
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

 private:
  std::string path(std::string_view file) const {
    return fmt::format("{}/{}", run_.directory, file);
  }
  std::string named(const std::string& what) const {
    return fmt::format("run {} ({}): {}", run_.id, describe(scenario_), what);
  }
  void wrong(const std::string& what) { faults_.add(path("runs.csv"), run_.line, named(what)); }
  void wrong_event(std::size_t line, const std::string& what) {
    faults_.add(path("events.csv"), line, named(what));
  }
  void wrong_regroups(std::size_t line, const std::string& what) {
    faults_.add(path("regroups.csv"), line, named(what));
  }

  void check_numbers_of_rows() {
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
  bool is_named_right() {
    if (!record_.whole) {
      faults_.unchecked("names of runs of which no column tells some parameters");
      return true;
    }
    if (!run_.inputs_are_known) {
      faults_.unchecked("names of runs that read files: there is no column 'inputs'");
      return true;
    }
    const std::string right = fingerprint(scenario_);
    if (run_.id == right) return true;
    wrong(fmt::format("its parameters are those of a run {}", right));
    return false;
  }

  void check_that_it_did_nothing() {
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

  void check_what_it_did() {
    if (!engine_.real && !lacks().empty()) {
      wrong(fmt::format("it cannot have ended well: {}", lacks()));
    }
    if (!run_.events) return wrong("there are no events of it");
    lives() = std::move(run_.events->rows);
    if (!check_events()) return;
    check_regroups();
    check_reports();
    check_cells();
    check_facts(scenario_, *record_.outcome, [this](const std::string& what) { wrong(what); });
    check_wall_time();
    if (engine_.exact) simulate_again();
  }

  std::vector<GroupLife>& lives() { return record_.outcome->lives; }

  /// Answers whether figures can be computed from them.
  bool check_events() {
    TimeLaw law = law_of(scenario_);
    // The line that sets times of other hosts right has an error at each of its ends.
    law.resolution_s += 2e-6 * record_.outcome->clock_error_us;
    if (items_.empty()) items_ = items_at_start(lives());
    if (items_.size() != walkers_of(scenario_)) {
      wrong_event(run_.events->line, fmt::format("there are {} walkers instead of {}",
                                                 items_.size(), walkers_of(scenario_)));
      return false;
    }
    const Run start = beginning(scenario_, executed());
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

  void refuse_first(auto refused, const std::string& what) {
    const auto life = std::ranges::find_if(lives(), refused);
    if (life == lives().end()) return;
    wrong_event(run_.events->line + static_cast<std::size_t>(life - lives().begin()), what);
  }

  void check_regroups() {
    const Regroups right = regroup_statistics(lives(), scenario_.ranks).processes;
    if (!run_.regroups) return wrong("regroups.csv has nothing of it");
    auto expected = right.begin();
    std::size_t line = run_.regroups->line;
    for (const auto& row : run_.regroups->rows) {
      if (expected == right.end()) return wrong_regroups(line, "a row more than its events tell");
      if (row != std::pair(expected->first, expected->second)) {
        return wrong_regroups(
            line, fmt::format("{} processes with {} regroupings, but its events tell of {} with {}",
                              row.second, row.first, expected->second, expected->first));
      }
      ++line;
      ++expected;
    }
    if (expected == right.end()) return;
    wrong_regroups(run_.regroups->line,
                   fmt::format("its events tell also of {} processes with {} regroupings",
                               expected->second, expected->first));
  }

  void check_reports() {
    if (!run_.chains) return;
    Outcome& outcome = *record_.outcome;
    outcome.reports = std::move(run_.chains->rows);
    const auto wrong_one = find_wrong_report(outcome.reports, scenario_.report_every, executed(),
                                             outcome.resumed_items > 0);
    if (!wrong_one) return check_end(outcome);
    faults_.add(path("chains.csv"), run_.chains->line + wrong_one->place, named(wrong_one->what));
  }

  /// Whether it ended when it should. The reports are in order.
  void check_end(const Outcome& outcome) {
    if (!scenario_.may_end_early()) return;
    const std::int64_t right =
        first_enough(outcome.reports, scenario_.report_every,
                     {scenario_.until_r_hat, scenario_.until_effective_samples});
    if (outcome.enough_items == right) return;
    wrong(fmt::format("enough_items is '{}', but the reports say {}", outcome.enough_items, right));
  }

  Items executed() const {
    return executed_items(scenario_, items_, record_.outcome->lives,
                          record_.outcome->resumed_items);
  }

  /// Writes the row anew. What is a fact of its own comes out as it was.
  void check_cells() {
    const bool from_items = !items_.empty();
    const std::vector<std::string> names = names_of(columns_of("run"));
    const std::vector<std::string> right = fields_of(record_, items_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto column = std::ranges::find(run_.columns, names[i]);
      if (column == run_.columns.end() || names[i] == "regroup_version") continue;
      if (names[i] == "run" && !record_.whole) continue;
      const bool of_items = names[i] == "ideal_s" || names[i] == "bound_s" || names[i] == "problem";
      if (of_items && !from_items) continue;
      const std::string& cell =
          run_.fields[static_cast<std::size_t>(column - run_.columns.begin())];
      if (cell != right[i]) {
        wrong(fmt::format("{} is '{}' instead of '{}'", names[i], cell, right[i]));
      }
    }
    for (const auto& [what, number] :
         {std::pair("wall_s", record_.wall_s), std::pair("memory_mb", record_.memory_mb),
          std::pair("setup_s", setup_s())}) {
      if (!(number >= 0) || !std::isfinite(number)) wrong(fmt::format("{} is {}", what, number));
    }
  }

  /// What the engine lacks for it. Another MPI library than ours may have had what ours lacks.
  std::string lacks() const { return execution(scenario_.engine).lacks(scenario_); }

  double setup_s() const { return record_.outcome ? record_.outcome->setup_s : 0; }

  /// Real processes have no more time than the launcher saw go by.
  void check_wall_time() {
    if (!engine_.real) return;
    for (std::size_t i = 0; i < lives().size(); ++i) {
      const double last = std::max(lives()[i].busy_until_s, lives()[i].ended_s);
      if (last <= record_.wall_s) continue;
      return wrong_event(run_.events->line + i,
                         fmt::format("a group was there after {} s, but the whole run took {} s",
                                     last, record_.wall_s));
    }
    if (setup_s() > record_.wall_s) wrong("its set-up took longer than the whole run");
  }

  void simulate_again() {
    if (!run_.inputs_are_there) {
      return faults_.unchecked(
          "times of runs in virtual time that read files which are gone or have changed");
    }
    const std::string by =
        cell("regroup_version") == version
            ? ""
            : fmt::format(" (by {}, this is {})", cell("regroup_version"), version);
    std::vector<GroupLife> right;
    try {
      right = simulate(scenario_).lives;
    } catch (const std::exception& error) {
      return wrong(fmt::format("simulated again it fails: {}{}", error.what(), by));
    }
    const auto [mine, other] = std::ranges::mismatch(lives(), right);
    if (mine == lives().end() && other == right.end()) return;
    const std::size_t line = run_.events->line + static_cast<std::size_t>(mine - lives().begin());
    if (mine == lives().end() || other == right.end()) {
      return wrong_event(line, fmt::format("{} groups, but simulated again there are {}{}",
                                           lives().size(), right.size(), by));
    }
    wrong_event(line, fmt::format("simulated again this is '{}'{}",
                                  without_end(event_lines(run_.id, {&*other, 1})), by));
  }

  std::string cell(std::string_view column) const {
    const auto found = std::ranges::find(run_.columns, column);
    if (found == run_.columns.end()) return {};
    return run_.fields[static_cast<std::size_t>(found - run_.columns.begin())];
  }

  RunInFiles run_;
  Record& record_;
  Scenario& scenario_;
  const EngineEntry& engine_;
  std::vector<std::int64_t> items_;  // of all groups at the start; none where not known
  Faults faults_;
};

}  // namespace

Faults verify_run(RunInFiles run) { return RunCheck(std::move(run)).faults(); }

}  // namespace regroup
