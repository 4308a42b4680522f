// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/sweep/report.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "jobs/catalog/catalog.hpp"
#include "jobs/catalog/resolve.hpp"
#include "jobs/launch/mpi_job.hpp"
#include "jobs/records/columns.hpp"
#include "jobs/results/run_logs.hpp"
#include "jobs/results/sample_rows.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/chains/convergence.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/groups/node_map.hpp"
#include "kernel/regroup_statistics.hpp"

namespace regroup {
namespace {

Report report_of_run(const Record& record) {
  const Scenario& run = record.task;
  const Items items = initial_items(run);
  Report report{record, {csv_line(fields_of(record, items)), "", "", ""}, "", "", {}};
  if (!record.outcome) return report;
  const std::string id = fingerprint(run);
  const std::vector<GroupLife>& lives = record.outcome->lives;
  if (record.events != EventDetail::none) {
    report.lines[1] = regroup_lines(id, regroup_statistics(lives, run.ranks).processes);
  }
  if (record.events == EventDetail::all) report.lines[2] = event_lines(id, lives);
  report.lines[3] = chain_lines(id, record.outcome->reports);
  const double makespan = record.outcome->makespan_s();
  const double ideal =
      ideal_s(run, executed_items(run, items, lives, record.outcome->resumed_items));
  report.result = ideal == 0 ? fmt::format("{:.3f} s", makespan)
                             : fmt::format("{:.3f} s, {:.3f} × ideal", makespan, makespan / ideal);
  const std::string seen = text_of(convergence_of(record.outcome->reports));
  if (!seen.empty()) report.result += ", " + seen;
  if (record.outcome->enough_items > 0) {
    report.result += fmt::format(" after {} items", record.outcome->enough_items);
  } else if (run.may_end_early()) {
    report.result += ", which is not enough";
  }
  return report;
}

/// "create 1.25 ms, free 3.10 µs": the medians among the figures.
std::string medians(const Record& record) {
  constexpr std::string_view ending = "_median_s";
  const auto& kinds = standard_catalog().measurements;
  std::string text;
  for (const Figure& figure : find_entry(kinds, record.task.measure.name)->figures) {
    const auto found = record.outcome->figures.find(std::string(figure.name));
    if (!figure.name.ends_with(ending) || found == record.outcome->figures.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                        figure.name.substr(0, figure.name.size() - ending.size()),
                        in_fitting_unit(found->second));
  }
  return text.empty() ? "ok" : text;
}

/// Throws where no run of `task` can come to `outcome`.
void check_run(const Scenario& task, const Outcome& outcome) {
  if (const auto wrong = first_violation(task, outcome.lives, nullptr, standard_catalog(),
                                         outcome.resumed_items)) {
    throw std::invalid_argument(*wrong);
  }
}

/// Fills in what `outcome` tells of where it was. Throws where it can have been nowhere.
PlaceFile find_whereabouts(const Scenario& task, Outcome& outcome) {
  const bool real = engine_of(task).real;
  const std::string wrong = real ? complaint_about(outcome.place, task.ranks)
                            : outcome.place.nodes.empty() ? ""
                                                          : "nodes of what was simulated";
  if (!wrong.empty()) throw std::invalid_argument(wrong);
  const NodeMap nodes = real ? node_map_of(outcome.place) : simulated_nodes_of(task);
  if (real) {
    const std::string unlike = unlike_asked(task.ranks_per_node, task.ranks, nodes);
    if (!unlike.empty()) throw std::invalid_argument(unlike);
  }
  PlaceFile file = place_file(outcome.place);
  outcome.where = whereabouts_of(outcome.place);
  outcome.where.placement = file.placement;
  outcome.where.groups_across_nodes = groups_across(nodes, outcome.lives);
  return file;
}

}  // namespace

Report report_of(const Record& record) {
  if (record.task.is_run()) return report_of_run(record);
  Report report{record, {csv_line(fields_of(record)), ""}, "", "", {}};
  if (!record.outcome) return report;
  report.lines[1] = sample_lines(fingerprint(record.task), record.outcome->samples);
  report.result = medians(record);
  return report;
}

Report report_of(const Scenario& task, const Ended& ended, const std::string& outcome,
                 EventDetail events) {
  Record record;
  static_cast<Ended&>(record) = ended;
  record.task = task;
  record.events = events;
  PlaceFile place;
  if (ended.status == Status::ok) {
    record.outcome = outcome_from_json(outcome);
    if (task.is_run()) check_run(task, *record.outcome);
    place = find_whereabouts(task, *record.outcome);
  }
  Report report = report_of(record);
  report.place = std::move(place);
  if (record.outcome) report.warning = waiting_warning(task, *record.outcome);
  if (record.outcome && !ended.message.empty()) {
    report.warning = ended.message;
    if (ended.message == hung_at_its_end) report.warning += ": they were killed";
  }
  return report;
}

}  // namespace regroup
