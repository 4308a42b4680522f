// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/run_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "driver/store/provenance.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "regroup/balancer.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

TableFile events_file() {
  return {
      "events.csv",
      {{"run", "text", "hash of the run, as in runs.csv"},
       {"begin_event", "start | regroup | next | recover",
        "how the group began: at the start of the run, by a regrouping, with the next walker on "
        "the same ranks, or after the loss of other ranks"},
       {"begin_s", "number", "time when the leader's communicator was ready"},
       {"group_ranks", "text", "ranks of the group, as in 0-3 8-11. The lowest is the leader."},
       {"walker_id", "integer",
        "walker of the group, named by the lowest rank of its first group. With equal "
        "groups, walker i is named i · `group_size`. Empty if the group has none."},
       {"items_left_begin", "integer", "items left of the walker when the group was created"},
       {"busy_until_s", "number",
        "end of the group's last item. Equal to `begin_s` if it executed none."},
       {"end_event", "regroup | next | stop | recover", "how the group ended"},
       {"end_s", "number", "time when the group ended"},
       {"items_left_end", "integer", "items left of the walker when the group ended"},
       {"executed_items_min", "integer", "items executed by a member: minimum over the members"},
       {"executed_items_max", "integer",
        "… maximum. Equal in a correct run, unless a loss ended the group."}}};
}

TableFile regroups_file() {
  return {"regroups.csv",
          {{"run", "text", "hash of the run, as in runs.csv"},
           {"regroupings", "integer", "number of regroupings"},
           {"processes", "integer", "number of processes with that many regroupings"}}};
}

TableFile chains_file() {
  return {"chains.csv",
          {{"run", "text", "hash of the run, as in runs.csv"},
           {"chain", "integer", "number of the chain in the run, from 0"},
           {"executed_items", "integer", "items executed by the chain so far"},
           {"quantity", "text", "an observed quantity, as in the list `walkers`"},
           {"samples", "integer",
            "draws since the previous report of the chain, described by the next two columns. 0 "
            "during warm-up."},
           {"observed_mean", "number", "mean of these draws"},
           {"squared_deviations", "number",
            "sum of the squared deviations of these draws from their mean"},
           {"chain_hash", "text", "hash of the chain so far, to find where two runs first differ"},
           {"reason", "text",
            "error of the next item, which ended the chain (with `chain_errors: end_chain`). Such "
            "a row has no quantity, and reports have no reason."}}};
}

TableFile quantities_file() {
  return {"quantities.csv",
          {{"run", "text", "hash of the run, as in runs.csv"},
           {"quantity", "text", "an observed quantity"},
           {"chains", "integer", "number of chains in these statistics, without failed ones"},
           {"mean", "number",
            "mean of the draws. Longer chains are cut to the length of the shortest."},
           {"sd", "number", "standard deviation of these draws"},
           {"mcse", "number",
            "Monte Carlo standard error of the mean. Empty, like all columns to the right, if the "
            "quantity is constant in a chain."},
           {"r_hat", "number", "R-hat of the draws: rank-normalised, split and folded"},
           {"bulk_ess", "number", "effective sample size for the mean, from the draws"},
           {"tail_ess", "number", "… for the 5 % and 95 % quantiles, the smaller of the two"},
           {"batch_r_hat", "number", "R-hat from reports, if draws are not kept"},
           {"batch_ess", "number", "… effective sample size, by batch means"}}};
}

TableFile samples_file() {
  return {
      "samples.csv",
      {{"run", "text", "hash of the measurement, as in the other files"},
       {"time", "text", "name of the time"},
       {"sample", "integer",
        fmt::format(
            "number of the sample, from 1. If there are more than {}, only every n-th is stored.",
            most_kept)},
       {"began_s", "number", "start of the sample, since the common start of the measurement"},
       {"value_s", "number", "time of the sample"}}};
}

std::string event_lines(const std::string& id, std::span<const GroupLife> lives) {
  std::string text;
  for (const GroupLife& life : lives) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", id, word_of(life.began),
                        life.formed_s, text_of(life.ranks),
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

std::string chain_lines(const std::string& id, std::span<const ChainReport> reports,
                        std::span<const std::string_view> names,
                        std::span<const ChainFailure> failures) {
  std::string text;
  for (const ChainReport& report : reports) {
    for (std::size_t i = 0; i < report.quantities.size(); ++i) {
      const Moments& moments = report.quantities[i];
      text += fmt::format("{},{},{},{},{},{},{},{},\n", id, report.number, report.items, names[i],
                          moments.samples, moments.mean, moments.squared_deviations,
                          hash_digits(report.hash));
    }
  }
  for (const ChainFailure& failure : failures) {
    text += csv_line({id, std::to_string(failure.number), std::to_string(failure.item), "", "0",
                      "0", "0", "", one_line(failure.reason)});
  }
  return text;
}

std::string quantity_lines(const std::string& id, const Convergence& found) {
  std::string text;
  const auto cell = [](double figure) {
    return std::isnan(figure) ? std::string() : fmt::format("{}", figure);
  };
  for (const QuantityDiagnostics& quantity : found.quantities) {
    const std::string r_hat = cell(quantity.r_hat);
    const std::string ess = cell(quantity.bulk_ess);
    text +=
        fmt::format("{},{},{},{},{},{},{}\n", id, quantity.name, found.chains, cell(quantity.mean),
                    cell(quantity.sd), cell(quantity.mcse),
                    found.of_draws ? fmt::format("{},{},{},,", r_hat, ess, cell(quantity.tail_ess))
                                   : fmt::format(",,,{},{}", r_hat, ess));
  }
  return text;
}

std::string sample_lines(const std::string& id, const Samples& samples) {
  std::string text;
  for (const auto& [time, all] : samples) {
    for (const Sample& sample : all) {
      text +=
          fmt::format("{},{},{},{},{}\n", id, time, sample.number, sample.began_s, sample.value_s);
    }
  }
  return text;
}

/// Returns a cell as a number. Throws UserError, with the line, if it is not a number.
template <class Number>
Number number(const CsvRow& row, std::string_view column) {
  const std::string& text = row[column];
  if (const auto value = parse<Number>(text)) return *value;
  fail_in_row(row, fmt::format("'{}' is not a valid value of {}", one_line(text), column));
}

/// Returns the turn in `column`. Throws UserError if it is unknown or equals `never`.
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

std::vector<TableFile> files_of(const MeasurementKind* kind, const Catalog& catalog) {
  const std::vector<Column> columns = columns_of(kind, catalog);
  TableFile first{file_of(kind), {columns.begin(), columns.end()}};
  if (kind != nullptr) return {std::move(first), samples_file()};
  return {std::move(first), regroups_file(), events_file(), chains_file(), quantities_file()};
}

void check_columns(const std::string& directory, std::span<const TableFile> tables) {
  for (const TableFile& table : tables) {
    const std::string path = directory + "/" + table.name;
    if (CsvReader(path).columns() == names_of(table.columns)) continue;
    throw UserError(
        fmt::format("{}:1: columns differ from those of this version of regroup; add results with "
                    "the version that wrote the file, or run all tasks again",
                    path));
  }
}

std::vector<std::string> lines_of(const Record& record, const std::vector<Column>& columns) {
  std::vector<std::string> fields;
  for (const Column& column : columns) fields.push_back(column.write(record));
  const std::string& id = fields.front();
  const Outcome& outcome = record.outcome;
  if (!record.task.is_run()) return {csv_line(fields), sample_lines(id, outcome.samples)};
  const EventDetail events = record.ending.events;
  return {csv_line(fields),
          !record.ok() || events == EventDetail::none
              ? ""
              : regroup_lines(id, record.regroups.processes),
          events == EventDetail::all ? event_lines(id, outcome.lives) : "",
          chain_lines(id, outcome.reports, record.task.run().walker->quantities, outcome.failures),
          quantity_lines(id, record.convergence)};
}

ReportRow report_in(const CsvRow& row) {
  const int chain = number<int>(row, "chain");
  const auto items = number<std::int64_t>(row, "executed_items");
  if (const std::string& reason = row["reason"]; !reason.empty()) {
    const bool alone = row["quantity"].empty() && row["samples"] == "0" &&
                       row["observed_mean"] == "0" && row["squared_deviations"] == "0" &&
                       row["chain_hash"].empty();
    if (!alone) fail_in_row(row, "a row with a reason has no report");
    return {chain, items, "", {}, 0, reason};
  }
  return {chain,
          items,
          row["quantity"],
          {number<std::int64_t>(row, "samples"), number<double>(row, "observed_mean"),
           number<double>(row, "squared_deviations")},
          hash_in(row),
          ""};
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

SampleRow sample_in(const CsvRow& row) {
  return {row["time"],
          {number<std::int64_t>(row, "sample"), number<double>(row, "began_s"),
           number<double>(row, "value_s")}};
}

std::string why_without_events(const Record& run) {
  if (run.ending.events == EventDetail::all) return {};
  return fmt::format(
      "the groups of run {} were not stored ('events' is {}); to store groups, run with --set "
      "events=all",
      fingerprint(run.task), event_words[static_cast<std::size_t>(run.ending.events) + 1]);
}

// ---- draws

std::string draws_path(const std::string& directory, std::string_view run, int chain) {
  return fmt::format("{}/draws/{}/chain_{}.csv", directory, run, chain);
}

std::vector<DrawsFile> draws_files(const Record& record) {
  const std::vector<ChainReport>& reports = record.outcome.reports;
  if (!record.convergence.of_draws) return {};
  const Run& run = record.task.run();
  const std::span<const std::string_view> names = run.walker->quantities;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t i) { return is_of_sampler(names[i]); });
  std::vector<DrawsFile> files;
  for (const ChainReport& report : reports) {
    if (files.empty() || files.back().chain != report.number) {
      std::string header = "lp__";
      for (const std::size_t i : order) header += fmt::format(",{}", names[i]);
      files.push_back({report.number, header + "\n", 0});
    }
    DrawsFile& file = files.back();
    for (auto draw = std::span(report.draws); !draw.empty(); draw = draw.subspan(names.size())) {
      file.text += "0";
      for (const std::size_t i : order) file.text += fmt::format(",{}", draw[i]);
      file.text += "\n";
      ++file.draws;
    }
  }
  for (DrawsFile& file : files) {
    // Readers of CmdStan files need this header. Warm-up draws are not written.
    file.text = fmt::format(
                    "# model = {}\n# method = sample\n#   sample\n#     num_samples = {}\n"
                    "#     num_warmup = 0\n#     save_warmup = 0\n#     thin = 1\n# id = {}\n"
                    "# random\n#   seed = {}\n",
                    run.walker->name, file.draws, file.chain + 1, record.task.stream()) +
                file.text;
  }
  return files;
}

std::vector<double> draws_in(std::string_view text, std::span<const std::string_view> names) {
  const auto fail = [](std::size_t line, std::string_view what) {
    throw std::invalid_argument(fmt::format("line {}: {}", line, what));
  };
  std::vector<double> draws;
  std::vector<std::size_t> places;  // index within a draw of each column except the first
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    if (end == text.npos) fail(number, "the last line has no end");
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.starts_with('#')) continue;
    std::vector<std::string_view> cells;
    for (std::size_t from = 0; from <= line.size();) {
      const std::size_t to = std::min(line.find(',', from), line.size());
      cells.push_back(line.substr(from, to - from));
      from = to + 1;
    }
    if (cells.size() != names.size() + 1) fail(number, "another number of columns");
    if (places.empty()) {
      for (const std::string_view cell : std::span(cells).subspan(1)) {
        const auto name = std::ranges::find(names, cell);
        if (name == names.end()) fail(number, "another quantity than the walker's");
        places.push_back(static_cast<std::size_t>(name - names.begin()));
      }
      continue;
    }
    draws.resize(draws.size() + names.size());
    const auto draw = std::span(draws).last(names.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto value = parse<double>(cells[i + 1]);
      if (!value || !std::isfinite(*value)) fail(number, "no finite number");
      draw[places[i]] = *value;
    }
  }
  return draws;
}

// ---- places

namespace {

/// Everything from this line on differs between jobs. The file keeps that of the first job.
constexpr std::string_view of_a_job = "job_id: ";

std::string text_of(const Node& node) {
  std::string text = fmt::format("  - name: {}\n    ranks: {}\n    cores: {}\n    bindings:\n",
                                 in_json(node.name), in_json(text_of(node.ranks())), node.cores());
  for (const Binding& binding : node.bindings) {
    text += fmt::format("      - {{ranks: {}, processors: {}}}\n", in_json(text_of(binding.ranks)),
                        in_json(text_of(binding.cpus)));
  }
  const HostFacts& facts = node.facts;
  for (const auto& [name, fact] :
       {std::pair("processor", facts.processor), std::pair("smt", facts.smt),
        std::pair("governor", facts.governor), std::pair("kernel", facts.kernel),
        std::pair("clock_source", facts.clock_source)}) {
    text += fmt::format("    {}: {}\n", name, in_json(fact));
  }
  return text + fmt::format("    quota: {}\n", facts.quota);
}

std::string variables_in(const Place& place) {
  if (place.variables.empty()) return "variables: {}\n";
  std::string text = "variables:\n";
  for (const auto& [name, value] : place.variables) {
    text += fmt::format("  {}: {}\n", in_json(name), in_json(value));
  }
  return text;
}

}  // namespace

PlaceFile place_file(const Place& place) {
  if (place.nodes.empty()) return {};
  std::string text = "nodes:\n";
  for (const Node& node : place.nodes) text += text_of(node);
  text += fmt::format("mpi: {}\n{}{}\n{}", in_json(place.mpi), of_a_job, in_json(place.job_id),
                      variables_in(place));
  return {placement_in(text), text};
}

std::string placement_in(std::string_view text) {
  return hash_text(text.substr(0, text.find(fmt::format("\n{}", of_a_job)) + 1));
}

}  // namespace regroup
