// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/stored_results.hpp"

#include <fmt/format.h>

#include <array>

#include "balancers/balancers.hpp"
#include "communicators/strategies.hpp"
#include "jobs/config.hpp"
#include "jobs/csv_cells.hpp"
#include "jobs/ended.hpp"
#include "kernel/speedup.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/walker.hpp"
#include "kernel/workload.hpp"

namespace regroup {
namespace {

/// Checks the values of one row of runs.csv that are no choices with options.
void check_row(const CsvTable& table, std::size_t row) {
  const auto text = [&](std::string_view column) { return table.rows[row][table.column(column)]; };
  const auto check_name = [&](std::string_view column, const auto& list) {
    if (find_entry(list, text(column)) != nullptr) return;
    fail_in_row(table, row, fmt::format("unknown {} '{}'", column, text(column)));
  };
  for (const OptionSpec& spec : parameters()) {
    if (spec.name == "timeout_s") continue;  // no property of the result, so no column
    if (const std::string wrong = complaint(spec, text(spec.name)); !wrong.empty()) {
      fail_in_row(table, row, wrong);
    }
  }
  check_name("engine", engines());
  check_name("walker", walkers());
  if (!text("communicator").empty()) check_name("communicator", strategies);
  const std::string status = text("status");
  if (!status_named(status)) {
    fail_in_row(table, row, fmt::format("unknown status '{}'", status));
  }
  if (status != name(Status::ok)) return;
  for (const char* column : {"makespan_s", "ideal_s", "regroups_avg", "regroups_stdev",
                             "regroups_min", "regroups_max"}) {
    number<double>(table, row, table.column(column));
  }
}

}  // namespace

StoredResults read_runs(const std::string& directory) {
  StoredResults results;
  results.runs = read_csv(directory + "/runs.csv");
  const CsvTable& table = results.runs;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto text = [&](std::string_view column) { return table.rows[i][table.column(column)]; };
    const auto whole = [&](std::string_view column) {
      return number<std::int64_t>(table, i, table.column(column));
    };
    check_row(table, i);
    StoredRun run;
    run.id = text("run");
    run.status = text("status");
    run.fields = table.rows[i];
    Scenario& scenario = run.scenario;
    scenario.experiment = text("experiment");
    scenario.engine = text("engine");
    scenario.ranks = static_cast<int>(whole("ranks"));
    scenario.group_size = static_cast<int>(whole("group_size"));
    scenario.item_ms = number<double>(table, i, table.column("item_ms"));
    scenario.walker = text("walker");
    scenario.communicator = text("communicator");
    scenario.waiting = text("waiting");
    scenario.repetition = static_cast<int>(whole("repetition"));
    scenario.seed = static_cast<std::uint64_t>(whole("seed"));
    const auto choice = [&](std::string_view column, const auto& list) {
      Choice chosen{text(column), {}};
      const auto* entry = find_entry(list, chosen.name);
      if (entry == nullptr)
        fail_in_row(table, i, fmt::format("unknown {} '{}'", column, chosen.name));
      for (const OptionSpec& spec : entry->options) {
        if (const std::string wrong = complaint(spec, text(spec.name)); !wrong.empty()) {
          fail_in_row(table, i, wrong);
        }
        chosen.options.set(std::string(spec.name), text(spec.name));
      }
      return chosen;
    };
    scenario.workload = choice("workload", workloads());
    scenario.speedup = choice("speedup", speedups());
    scenario.costs = text("costs").empty() ? Choice{} : choice("costs", cost_models());
    scenario.jitter = number<double>(table, i, table.column("jitter"));
    scenario.balancer = choice("balancer", balancers());
    results.list.push_back(std::move(run));
  }
  return results;
}

std::map<std::string, std::vector<GroupLife>> read_events(const std::string& directory) {
  const CsvTable table = read_csv(directory + "/events.csv");
  const std::size_t run = table.column("run");
  const std::size_t event = table.column("event");
  const std::size_t end = table.column("end");
  const auto columns = [&](auto... names) { return std::array{table.column(names)...}; };
  const auto whole =
      columns("lo", "hi", "walker", "items_left", "items_left_end", "executed_min", "executed_max");
  const auto times = columns("time_s", "busy_until_s", "end_s");
  std::map<std::string, std::vector<GroupLife>> lives;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto integer = [&](std::size_t k) { return number<std::int64_t>(table, i, whole[k]); };
    GroupLife life;
    life.ranks = {static_cast<int>(integer(0)), static_cast<int>(integer(1))};
    life.walker = static_cast<int>(integer(2));
    life.items_before = integer(3);
    life.items_after = integer(4);
    life.executed_min = integer(5);
    life.executed_max = integer(6);
    life.formed_s = number<double>(table, i, times[0]);
    life.busy_until_s = number<double>(table, i, times[1]);
    life.ended_s = number<double>(table, i, times[2]);
    const auto word = [&](std::size_t column, std::string_view yes, std::string_view no) {
      const std::string& text = table.rows[i][column];
      if (text == yes || text == no) return text == yes;
      fail_in_row(
          table, i,
          fmt::format("unknown {} '{}'; allowed: {} | {}", table.columns[column], text, no, yes));
    };
    life.regrouped = word(event, "regroup", "start");
    life.stopped = word(end, "stop", "merge");
    lives[table.rows[i][run]].push_back(life);
  }
  return lives;
}

}  // namespace regroup
