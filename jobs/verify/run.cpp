// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/engine.hpp"
#include "jobs/verify/outcome.hpp"
#include "jobs/verify/run_check.hpp"
#include "jobs/version.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/chains/convergence_monitor.hpp"
#include "kernel/items/item_time.hpp"

namespace regroup {

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
      first_enough(outcome.reports, scenario_.report_every,
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

}  // namespace regroup
