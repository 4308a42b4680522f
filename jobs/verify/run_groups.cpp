// SPDX-License-Identifier: BSD-3-Clause
//
// What the groups of a run did: by its events or, where none were written, by simulating it again;
// else the row and regroups.csv are all that there is.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/catalog/resolve.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/verify/outcome.hpp"
#include "jobs/verify/places.hpp"
#include "jobs/verify/run_check.hpp"
#include "jobs/verify/time_law.hpp"
#include "kernel/audit/audit.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/virtual/engine.hpp"

namespace regroup {

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

}  // namespace regroup
