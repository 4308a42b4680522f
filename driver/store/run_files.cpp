// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/run_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "driver/store/record.hpp"
#include "measurements/bench.hpp"
#include "regroup/balancer.hpp"
#include "regroup/numbers.hpp"

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
  const std::string& text = row["group_ranks"];
  if (const auto ranks = rank_set_of(text)) return *ranks;
  fail_in_row(row, fmt::format("unknown group_ranks '{}'; allowed: ascending ranks and ranges, as "
                               "in '0-3 8-11'",
                               text));
}

std::uint64_t hash_in(const CsvRow& row) {
  const std::string& text = row["chain_hash"];
  if (const auto hash = hash_from(text)) return *hash;
  fail_in_row(row, fmt::format("unknown chain_hash '{}'; allowed: sixteen digits of 0-9a-f", text));
}

}  // namespace

std::vector<ResultColumn> event_columns() {
  return {
      {"run", content::text, "the run"},
      {"begin_event", content::one_of({"start", "regroup", "next"}),
       "how the group came to be: `start`, `regroup`, or `next` where the same ranks took up "
       "a walker that waited"},
      {"begin_s", content::number, "when it was formed: its leader's communicator was ready"},
      {"group_ranks", content::text, "its ranks, as in `0-3 8-11`; the lowest leads"},
      {"walker_id", content::maybe(content::integer),
       "the walker that it executed, named by the lowest rank of the group that begins with it, if "
       "one does: the i-th is named i · G, but with `groups`; empty where it had none"},
      {"items_left_begin", content::integer, "items that were left of the walker then"},
      {"busy_until_s", content::number,
       "end of the group's last item; `begin_s` if it executed none"},
      {"end_event", content::one_of({"regroup", "next", "stop"}),
       "how it ended: `regroup`, `next` or `stop`"},
      {"end_s", content::number, "when its leader turned to what came next, or stopped"},
      {"items_left_end", content::integer, "items that were left of the walker at the end"},
      {"executed_items_min", content::integer,
       "items that a member executed: fewest over the members"},
      {"executed_items_max", content::integer,
       "most over the members; equal to the fewest in a correct run"},
  };
}

std::vector<ResultColumn> regroup_columns() {
  return {{"run", content::text, "the run"},
          {"regroupings", content::integer, "a number of regroupings"},
          {"processes", content::integer, "how many processes took part in so many"}};
}

std::vector<ResultColumn> chain_columns() {
  return {
      {"run", content::text, "the run"},
      {"chain", content::integer, "0, 1, … in the run"},
      {"executed_items", content::integer, "of the chain by then"},
      {"samples", content::integer, "since its row before; the columns to the right tell of these"},
      {"observed_mean", content::number,
       "of what the walker observes, as `regroup list walkers` tells"},
      {"observed_variance", content::number, "of the samples, about their mean"},
      {"proposed_moves", content::integer, "in these items"},
      {"accepted_moves", content::integer, "of them"},
      {"chain_hash", content::text,
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
          count("executed_items"),
          count("samples"),
          number<double>(row, "observed_mean"),
          number<double>(row, "observed_variance"),
          count("proposed_moves"),
          count("accepted_moves"),
          hash_in(row)};
}

GroupLife life_of(const CsvRow& row) {
  const auto items = [&](std::string_view name) { return number<std::int64_t>(row, name); };
  const auto time = [&](std::string_view name) { return number<double>(row, name); };
  GroupLife life;
  life.ranks = ranks_of(row);
  life.walker = row["walker_id"].empty() ? Chain::none : number<int>(row, "walker_id");
  life.items_before = items("items_left_begin");
  life.items_after = items("items_left_end");
  life.executed_min = items("executed_items_min");
  life.executed_max = items("executed_items_max");
  life.formed_s = time("begin_s");
  life.busy_until_s = time("busy_until_s");
  life.ended_s = time("end_s");
  life.began = turn(row, "begin_event", Turn::stop);
  life.ended = turn(row, "end_event", Turn::start);
  return life;
}

std::pair<std::int64_t, std::int64_t> regroups_of(const CsvRow& row) {
  return {number<std::int64_t>(row, "regroupings"), number<std::int64_t>(row, "processes")};
}

std::vector<ResultColumn> sample_columns() {
  std::vector<std::string> figures;
  for (const SampledTime& time : sampled_times()) figures.emplace_back(time.name);
  return {
      {"run", content::text, "the measurement"},
      {"figure", content::one_of(std::move(figures)),
       "what was timed: `regroup list samples` tells of them"},
      {"sample", content::integer,
       fmt::format("its number, from 1 on; of more than {}, every so many-th is there", most_kept)},
      {"began_s", content::number, "when it began, from the common start of the measurement on"},
      {"value_s", content::number, "the time that it took"}};
}

std::string sample_lines(const std::string& id, const Samples& samples) {
  std::string text;
  for (const auto& [figure, all] : samples) {
    if (find_entry(sampled_times(), figure) == nullptr) {
      throw std::invalid_argument("samples of a time that nobody takes");
    }
    for (const Sample& sample : all) {
      text += fmt::format("{},{},{},{:.17g},{:.17g}\n", id, figure, sample.number, sample.began_s,
                          sample.value_s);
    }
  }
  return text;
}

SampleRow sample_in(const CsvRow& row) {
  const std::string& figure = row["figure"];
  if (find_entry(sampled_times(), figure) == nullptr) {
    fail_in_row(row, fmt::format("unknown figure '{}'", figure));
  }
  return {figure,
          {number<std::int64_t>(row, "sample"), number<double>(row, "began_s"),
           number<double>(row, "value_s")}};
}

}  // namespace regroup
