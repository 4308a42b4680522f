// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/run_logs.hpp"

#include <fmt/format.h>

#include "jobs/records/csv_cells.hpp"
#include "kernel/balancer.hpp"

namespace regroup {
namespace {

bool is(const CsvRow& row, std::string_view column, std::string_view yes, std::string_view no) {
  const std::string& text = row[column];
  if (text == yes || text == no) return text == yes;
  fail_in_row(row, fmt::format("unknown {} '{}'; allowed: {} | {}", column, text, no, yes));
}

RankSet ranks_of(const CsvRow& row) {
  if (const auto ranks = rank_set_of(row["ranks"])) return *ranks;
  fail_in_row(row, fmt::format("unknown ranks '{}'; allowed: ascending ranks and ranges, as in "
                               "'0-3 8-11'",
                               row["ranks"]));
}

}  // namespace

std::vector<ResultColumn> event_columns() {
  return {
      {"run", "the run"},
      {"event", "how the group came to be: `start` or `regroup`"},
      {"time_s", "when it was formed: its leader's communicator was ready"},
      {"ranks", "its ranks, as in `0-3 8-11`; the lowest leads"},
      {"walker",
       "the walker that it executed, named by the lowest rank that this walker's group had at the "
       "start; empty where it had none"},
      {"items_left", "items that were left of the walker then"},
      {"busy_until_s", "end of the group's last item; `time_s` if it executed none"},
      {"end", "how it ended: `regroup` or `stop`"},
      {"end_s", "when its leader turned to the next regrouping, or stopped"},
      {"items_left_end", "items that were left of the walker at the end"},
      {"executed_min", "items that a member executed: fewest over the members"},
      {"executed_max", "most over the members; equal to the fewest in a correct run"},
  };
}

std::vector<ResultColumn> regroup_columns() {
  return {{"run", "the run"},
          {"regroupings", "a number of regroupings"},
          {"processes", "how many processes took part in so many"}};
}

std::string event_lines(const std::string& id, std::span<const GroupLife> lives) {
  std::string text;
  for (const GroupLife& life : lives) {
    fmt::format_to(std::back_inserter(text), "{},{},{:.17g},{},{},{},{:.17g},{},{:.17g},{},{},{}\n",
                   id, life.regrouped ? "regroup" : "start", life.formed_s, text_of(life.ranks),
                   life.walker == Chain::none ? "" : std::to_string(life.walker), life.items_before,
                   life.busy_until_s, life.stopped ? "stop" : "regroup", life.ended_s,
                   life.items_after, life.executed_min, life.executed_max);
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
  const auto items = [&](std::string_view name) { return number<std::int64_t>(row, name); };
  const auto time = [&](std::string_view name) { return number<double>(row, name); };
  GroupLife life;
  life.ranks = ranks_of(row);
  life.walker = row["walker"].empty() ? Chain::none : number<int>(row, "walker");
  life.items_before = items("items_left");
  life.items_after = items("items_left_end");
  life.executed_min = items("executed_min");
  life.executed_max = items("executed_max");
  life.formed_s = time("time_s");
  life.busy_until_s = time("busy_until_s");
  life.ended_s = time("end_s");
  life.regrouped = is(row, "event", "regroup", "start");
  life.stopped = is(row, "end", "stop", "regroup");
  return life;
}

std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row) {
  return {number<std::int64_t>(row, "regroupings"), number<std::int64_t>(row, "processes")};
}

}  // namespace regroup
