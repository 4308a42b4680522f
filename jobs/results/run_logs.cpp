// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/run_logs.hpp"

#include <fmt/format.h>

#include "jobs/records/csv_cells.hpp"

namespace regroup {
namespace {

bool is(const CsvRow& row, std::string_view column, std::string_view yes, std::string_view no) {
  const std::string& text = row[column];
  if (text == yes || text == no) return text == yes;
  fail_in_row(row, fmt::format("unknown {} '{}'; allowed: {} | {}", column, text, no, yes));
}

}  // namespace

std::vector<std::string> event_columns() {
  return {"run",         "event",  "time_s",         "lo",
          "hi",          "walker", "items_left",     "busy_until_s",
          "end",         "end_s",  "items_left_end", "executed_min",
          "executed_max"};
}

std::vector<std::string> regroup_columns() { return {"run", "regroupings", "processes"}; }

std::string event_lines(const std::string& id, std::span<const GroupLife> lives) {
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

std::string regroup_lines(const std::string& id, const Regroups& processes) {
  std::string text;
  for (const auto& [regroupings, number] : processes) {
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", id, regroupings, number);
  }
  return text;
}

GroupLife life_of(const CsvRow& row) {
  const auto rank = [&](std::string_view name) { return number<int>(row, name); };
  const auto items = [&](std::string_view name) { return number<std::int64_t>(row, name); };
  const auto time = [&](std::string_view name) { return number<double>(row, name); };
  GroupLife life;
  life.ranks = {rank("lo"), rank("hi")};
  life.walker = rank("walker");
  life.items_before = items("items_left");
  life.items_after = items("items_left_end");
  life.executed_min = items("executed_min");
  life.executed_max = items("executed_max");
  life.formed_s = time("time_s");
  life.busy_until_s = time("busy_until_s");
  life.ended_s = time("end_s");
  life.regrouped = is(row, "event", "regroup", "start");
  life.stopped = is(row, "end", "stop", "merge");
  return life;
}

std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row) {
  return {number<std::int64_t>(row, "regroupings"), number<std::int64_t>(row, "processes")};
}

}  // namespace regroup
