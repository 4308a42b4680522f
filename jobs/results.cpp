// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <span>

#include "kernel/csv.hpp"
#include "kernel/statistics.hpp"
#include "kernel/user_error.hpp"

namespace regroup {
namespace {

constexpr std::string_view regroups_header = "run,regroupings,processes\n";
constexpr std::string_view events_header =
    "run,event,time_s,lo,hi,walker,items_left,busy_until_s,end,end_s,items_left_end,executed_min,"
    "executed_max\n";

std::string events_of(const std::string& id, std::span<const GroupLife> lives) {
  std::string text;
  for (const GroupLife& life : lives) {
    fmt::format_to(
        std::back_inserter(text), "{},{},{:.17g},{},{},{},{},{:.17g},{},{:.17g},{},{},{}\n", id,
        life.regrouped ? "regroup" : "start", life.formed_s, life.ranks.lo, life.ranks.hi,
        life.walker, life.items_before, life.busy_until_s, life.stopped ? "stop" : "merge",
        life.ended_s, life.items_after, life.executed_min, life.executed_max);
  }
  return text;
}

std::string regroups_of(const std::string& id, const RegroupStatistics& statistics) {
  std::string text;
  for (const auto& [regroupings, processes] : statistics.processes) {
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", id, regroupings, processes);
  }
  return text;
}

/// Keeps the rows of `file` whose run is in `runs`.
void keep_only(const std::string& path, const std::set<std::string>& runs,
               std::string_view header_line) {
  std::string text(header_line);
  if (std::filesystem::exists(path)) {
    const CsvTable table = read_csv(path);
    const std::size_t run = table.column("run");
    for (const auto& row : table.rows) {
      if (runs.contains(row[run])) text += csv_line(row);
    }
  }
  replace_file(path, text);
}

}  // namespace

bool Results::exist() const { return std::filesystem::exists(path("runs.csv")); }

void Results::start_anew() const {
  std::filesystem::create_directories(directory_);
  replace_file(path("regroups.csv"), regroups_header);
  replace_file(path("events.csv"), events_header);
  replace_file(path("runs.csv"), csv_line(run_column_names()));
}

std::vector<std::string> Results::resume(bool retry) const {
  const CsvTable table = read_csv(path("runs.csv"));
  if (table.columns != run_column_names()) {
    throw UserError(
        fmt::format("{}:1: written by another version of regroup, whose columns differ; "
                    "--overwrite starts anew, --out names another directory",
                    table.path));
  }
  const std::size_t run = table.column("run");
  const std::size_t status = table.column("status");
  std::set<std::string> there;
  std::string text = csv_line(table.columns);
  for (const auto& row : table.rows) {
    if (retry && row[status] != name(Status::ok)) continue;
    there.insert(row[run]);
    text += csv_line(row);
  }
  replace_file(path("runs.csv"), text);
  keep_only(path("regroups.csv"), there, regroups_header);
  keep_only(path("events.csv"), there, events_header);
  return {there.begin(), there.end()};
}

void Results::add(const RunRecord& record) const {
  const std::string id = fingerprint(record.scenario);
  if (record.outcome) {
    const std::vector<GroupLife>& lives = record.outcome->lives;
    append_whole(path("events.csv"), events_of(id, lives));
    append_whole(path("regroups.csv"),
                 regroups_of(id, regroup_statistics(lives, record.scenario.ranks)));
  }
  append_whole(path("runs.csv"), csv_line(run_fields(record)));
}

}  // namespace regroup
