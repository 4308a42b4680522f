// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/run_logs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "jobs/records/csv_cells.hpp"
#include "kernel/balancer.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

/// Any but `never`.
Turn turn(const CsvRow& row, std::string_view column, Turn never) {
  std::vector<std::string_view> allowed;
  for (std::size_t i = 0; i < turn_words.size(); ++i) {
    if (static_cast<Turn>(i) == never) continue;
    if (row[column] == turn_words[i]) return static_cast<Turn>(i);
    allowed.push_back(turn_words[i]);
  }
  fail_in_row(row, fmt::format("unknown {} '{}'; allowed: {}", column, row[column],
                               fmt::join(allowed, " | ")));
}

RankSet ranks_of(const CsvRow& row) {
  if (const auto ranks = rank_set_of(row["ranks"])) return *ranks;
  fail_in_row(row, fmt::format("unknown ranks '{}'; allowed: ascending ranks and ranges, as in "
                               "'0-3 8-11'",
                               row["ranks"]));
}

std::uint64_t hash_in(const CsvRow& row) {
  if (!row.has("hash")) return 0;
  if (const auto hash = hash_from(row["hash"])) return *hash;
  fail_in_row(row,
              fmt::format("unknown hash '{}'; allowed: sixteen digits of 0-9a-f", row["hash"]));
}

}  // namespace

std::vector<ResultColumn> event_columns() {
  return {
      {"run", "the run"},
      {"event",
       "how the group came to be: `start`, `regroup`, or `next` where the same ranks took up "
       "a walker that waited"},
      {"time_s", "when it was formed: its leader's communicator was ready"},
      {"ranks", "its ranks, as in `0-3 8-11`; the lowest leads"},
      {"walker",
       "the walker that it executed, named by the lowest rank of the group that begins with it, if "
       "one does: the i-th is named i · G, but with `groups`; empty where it had none"},
      {"items_left", "items that were left of the walker then"},
      {"busy_until_s", "end of the group's last item; `time_s` if it executed none"},
      {"end", "how it ended: `regroup`, `next` or `stop`"},
      {"end_s", "when its leader turned to what came next, or stopped"},
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

std::vector<ResultColumn> chain_columns() {
  return {{"run", "the run"},
          {"chain", "0, 1, … in the run"},
          {"items", "of the chain that were executed by then"},
          {"samples", "since its row before; the columns to the right tell of these"},
          {"mean", "of what the walker observes, as `regroup list walkers` tells"},
          {"variance", "of the samples, about their mean"},
          {"proposed", "moves"},
          {"accepted", "of them"},
          {"hash",
           "sixteen digits that name what every item of the chain had come to by then: where two "
           "runs first differ"}};
}

std::string event_lines(const std::string& id, std::span<const GroupLife> lives) {
  std::string text;
  for (const GroupLife& life : lives) {
    text += fmt::format("{},{},{:.17g},{},{},{},{:.17g},{},{:.17g},{},{},{}\n", id,
                        word_of(life.began), life.formed_s, text_of(life.ranks),
                        life.walker == Chain::none ? "" : std::to_string(life.walker),
                        life.items_before, life.busy_until_s, word_of(life.ended), life.ended_s,
                        life.items_after, life.executed_min, life.executed_max);
  }
  return text;
}

std::string regroup_lines(const std::string& id, const Regroups& processes) {
  std::string text;
  for (const auto& [regroupings, number] : processes) {
    text += fmt::format("{},{},{}\n", id, regroupings, number);
  }
  return text;
}

std::string chain_lines(const std::string& id, std::span<const ChainReport> reports) {
  std::string text;
  for (const ChainReport& report : reports) {
    text += fmt::format("{},{},{},{},{:.17g},{:.17g},{},{},{}\n", id, report.number, report.items,
                        report.samples, report.mean, report.variance, report.proposed,
                        report.accepted, hash_digits(report.hash));
  }
  return text;
}

ChainReport report_in(const CsvRow& row) {
  const auto count = [&](std::string_view name) { return number<std::int64_t>(row, name); };
  return {number<int>(row, "chain"),
          count("items"),
          count("samples"),
          number<double>(row, "mean"),
          number<double>(row, "variance"),
          count("proposed"),
          count("accepted"),
          hash_in(row)};
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
  life.began = turn(row, "event", Turn::stop);
  life.ended = turn(row, "end", Turn::start);
  return life;
}

std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row) {
  return {number<std::int64_t>(row, "regroupings"), number<std::int64_t>(row, "processes")};
}

}  // namespace regroup
