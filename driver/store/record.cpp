// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

void fill_run(Record& record, const Outcome* outcome) {
  const Task& task = record.task;
  const Items items = initial_items(task);
  const std::int64_t resumed = outcome == nullptr ? 0 : outcome->resumed_items;
  const Items executed =
      outcome == nullptr ? items : executed_items(task, items, outcome->lives, resumed);
  record.problem = problem_of(resumed > 0 ? executed : items);
  record.ideal_s = ideal_s(task, executed);
  record.bound_s = bound_s(task, executed);
  if (outcome == nullptr) return;
  record.makespan_s = outcome->makespan_s();
  const RegroupStatistics regroups = regroup_statistics(outcome->lives, task.ranks);
  record.regroups_avg = regroups.average;
  record.regroups_stdev = regroups.deviation;
  record.regroups_min = regroups.min;
  record.regroups_max = regroups.max;
  record.communicators_alive_max = outcome->communicators_alive_max;
  record.groups_across_nodes = outcome->where.groups_across_nodes;
  record.chains_hash = outcome->chains_hash;
  const Convergence found = convergence_of(outcome->reports);
  record.r_hat = found.r_hat;
  record.effective_samples = found.effective_samples;
  record.hand_over_bytes = outcome->hand_over_bytes;
  record.hand_over_s = outcome->hand_over_s;
  record.cpu_s = outcome->cpu_s;
  record.resumed_items = resumed;
  record.enough_items = outcome->enough_items;
}

}  // namespace

Record record_of(const Finished& finished) {
  const Outcome* outcome = finished.outcome ? &*finished.outcome : nullptr;
  Record record;
  record.task = finished.task;
  record.ending = finished.ending;
  if (record.task.is_run()) fill_run(record, outcome);
  if (outcome == nullptr) return record;
  record.waited = outcome->waiting;
  record.cores = outcome->where.cores;
  record.oversubscribed = outcome->where.crowded;
  record.placement = outcome->where.placement;
  record.load_average_before = outcome->where.load_average_before;
  record.setup_s = outcome->setup_s;
  record.clock_error_us = outcome->clock_error_us;
  record.figures = outcome->figures;
  return record;
}

void fail_in_row(const CsvRow& row, const std::string& what) {
  throw UserError(fmt::format("{}:{}: {}", row.path, row.line, what));
}

// ---- columns

namespace {

using Columns = std::vector<Column>;

enum class When {
  always,
  if_ok,        ///< empty unless the task ended well
  if_not_zero,  ///< … and where it is zero: it has no meaning
};

template <class Value>
std::string type_of() {
  if constexpr (std::is_same_v<Value, std::string>) return "text";
  if constexpr (std::is_same_v<Value, bool>) return "yes | no";
  return std::is_integral_v<Value> ? "integer" : "number";
}

template <class Value>
std::string cell_of(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return one_line(value);
  } else if constexpr (std::is_same_v<Value, bool>) {
    return value ? "yes" : "no";
  } else {
    return fmt::format("{}", value);
  }
}

template <class Value>
Value value_in(const std::string& cell) {
  if constexpr (std::is_same_v<Value, std::string>) {
    return cell;
  } else if constexpr (std::is_same_v<Value, bool>) {
    if (cell != "yes" && cell != "no") throw std::invalid_argument("it is neither yes nor no");
    return cell == "yes";
  } else {
    const std::optional<Value> value = parse<Value>(cell);
    if (!value) throw std::invalid_argument("it is no number");
    return *value;
  }
}

/// A column of the member that `of` selects.
template <class Of>
Column column(std::string name, std::string help, When when, Of of) {
  using Value = std::remove_cvref_t<decltype(of(std::declval<Record&>()))>;
  return {{std::move(name), type_of<Value>(), std::move(help)},
          [of, when](const Record& record) -> std::string {
            const Value& value = of(const_cast<Record&>(record));
            if (when != When::always && !record.ok()) return {};
            if (when == When::if_not_zero && value == Value()) return {};
            return cell_of(value);
          },
          [of, when](Record& record, const std::string& cell) {
            if (cell.empty() && when != When::always) return;
            of(record) = value_in<Value>(cell);
          }};
}

template <auto Member>
Column column(std::string name, std::string help, When when = When::if_ok) {
  return column(
      std::move(name), std::move(help), when,
      [](Record & record) -> auto& { return record.*Member; });
}
template <auto Member>
Column ending_column(std::string name, std::string help) {
  return column(
      std::move(name), std::move(help), When::always,
      [](Record & record) -> auto& { return record.ending.*Member; });
}

/// Of words of an enumeration.
template <class Value, class Of>
Column word_column(std::string name, std::string help, std::span<const std::string_view> words,
                   Of of) {
  return {{std::move(name), fmt::format("{}", fmt::join(words, " | ")), std::move(help)},
          [of, words](const Record& record) {
            return std::string(words[static_cast<std::size_t>(of(const_cast<Record&>(record)))]);
          },
          [of, words](Record& record, const std::string& cell) {
            const auto found = std::ranges::find(words, cell);
            if (found == words.end()) {
              throw std::invalid_argument(fmt::format("allowed: {}", fmt::join(words, " | ")));
            }
            of(record) = static_cast<Value>(found - words.begin());
          }};
}

/// What is only written: it follows from the others.
Column derived(std::string name, std::string type, std::string help,
               std::function<std::string(const Record&)> write) {
  return {{std::move(name), std::move(type), std::move(help)},
          std::move(write),
          [](Record&, const std::string&) {}};
}

void check_value(const Parameter& parameter, const std::string& text) {
  if (parameter.list != nullptr) return;  // Parameter::set checks
  const std::string wrong = complaint(parameter.spec, text);
  if (!wrong.empty()) throw std::invalid_argument(wrong);
}

Column parameter_column(const Parameter& parameter, const Catalog& catalog) {
  const bool names_row = parameter.list != nullptr;
  const std::string type = !names_row              ? allowed(parameter.spec)
                           : parameter.has_options ? "NAME(OPTION=VALUE …)"
                                                   : "name";
  return {{std::string(parameter.spec.name), type, std::string(parameter.spec.help)},
          [&parameter](const Record& record) { return parameter.text(record.task); },
          [&parameter, &catalog](Record& record, const std::string& cell) {
            check_value(parameter, cell);
            parameter.set(record.task, cell, catalog);
          }};
}

/// All parameters that have no column of their own, where they are not as usual, in one.
Column settings_column(const MeasurementKind* kind, const Catalog& catalog) {
  std::vector<const Parameter*> rare;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(kind) || parameter.column != Parameter::Column::settings) continue;
    rare.push_back(&parameter);
  }
  return {
      {"settings", "KEY=VALUE …",
       "all parameters without a column that are not as usual; inputs: a hash of the files that "
       "the run read"},
      [rare, usual = usual_task(catalog, kind)](const Record& record) {
        Options settings;
        for (const Parameter* parameter : rare) {
          std::string text = parameter->text(record.task);
          if (text == parameter->text(usual)) continue;
          settings.set(std::string(parameter->spec.name), std::move(text));
        }
        const bool reads = record.task.is_run() && !record.task.run().inputs.empty();
        if (reads) settings.set("inputs", record.task.run().inputs);
        return text_of(settings);
      },
      [rare, &catalog](Record& record, const std::string& cell) {
        for (const auto& [name, value] : options_from(cell)) {
          if (name == "inputs" && record.task.is_run()) {
            record.task.run().inputs = value;
            continue;
          }
          const auto found = std::ranges::find(
              rare, name, [](const Parameter* parameter) { return parameter->spec.name; });
          if (found == rare.end()) {
            throw std::invalid_argument(fmt::format("unknown parameter '{}'", name));
          }
          check_value(**found, value);
          (*found)->set(record.task, value, catalog);
        }
      }};
}

Column option_column(const OptionSpec& spec, const Catalog& catalog) {
  return {
      {std::string(spec.name), allowed(spec), std::string(spec.help)},
      [&spec](const Record& record) { return record.task.measurement().options.text(spec.name); },
      [&spec, &catalog](Record& record, const std::string& cell) {
        const std::string wrong = complaint(spec, cell);
        if (!wrong.empty()) throw std::invalid_argument(wrong);
        Measurement& measurement = record.task.measurement();
        measurement.options.set(std::string(spec.name), cell);
        if (spec.name == "communicator") {
          measurement.strategy = find_entry(catalog.strategies, cell);
        }
      }};
}

Column figure_column(const NamedFigure& figure) {
  return {{figure.name, figure.is_count ? "integer" : "number", figure.help},
          [name = figure.name](const Record& record) {
            const auto found = record.figures.find(name);
            return found == record.figures.end() ? "" : cell_of(found->second);
          },
          [name = figure.name](Record& record, const std::string& cell) {
            if (!cell.empty()) record.figures[name] = value_in<double>(cell);
          }};
}

void add_parameters(Columns& columns, const MeasurementKind* kind, const Catalog& catalog) {
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(kind) || parameter.column != Parameter::Column::own) continue;
    columns.push_back(parameter_column(parameter, catalog));
    if (kind == nullptr || parameter.spec.name != "ranks") continue;
    for (const OptionSpec& spec : kind->options) columns.push_back(option_column(spec, catalog));
  }
  columns.push_back(settings_column(kind, catalog));
}

void add_figures_of_runs(Columns& columns) {
  const auto clock = [](const Record& record) {
    return std::string(record.task.run().engine->clock);
  };
  const Columns of_runs{
      derived("clock", "wall | virtual | simgrid", "the clock of all times", clock),
      column<&Record::problem>("problem", "hash of the items to do: equal for runs with equal work",
                               When::always),
      column<&Record::makespan_s>("makespan_s",
                                  "from the common start to the end of the last item anywhere"),
      column<&Record::ideal_s>("ideal_s",
                               "sum of all items · T / ranks: the time with perfect "
                               "balance and perfect speed-up",
                               When::always),
      column<&Record::bound_s>(
          "bound_s",
          "lower bound: no schedule can end earlier, whatever it regroups, even at no cost",
          When::always),
      column<&Record::regroups_avg>("regroups_avg",
                                    "regroupings of a process: average over all processes"),
      column<&Record::regroups_stdev>("regroups_stdev", "… population standard deviation"),
      column<&Record::regroups_min>("regroups_min", "… minimum"),
      column<&Record::regroups_max>("regroups_max", "… maximum"),
      column<&Record::communicators_alive_max>(
          "communicators_alive_max",
          "group communicators of one process at the same time: maximum over all processes"),
      column<&Record::groups_across_nodes>(
          "groups_across_nodes", "groups (rows of events.csv) with ranks on several nodes"),
      column<&Record::chains_hash>(
          "chains_hash",
          "hash of the final states of all chains; empty where walkers have no state",
          When::if_not_zero),
      column<&Record::r_hat>("r_hat",
                             "R-hat of the chains' observations (Gelman and Rubin), the first half "
                             "of each discarded; near 1 when chains agree",
                             When::if_not_zero),
      column<&Record::effective_samples>("effective_samples",
                                         "effective sample size of all chains, by batch means",
                                         When::if_not_zero),
      column<&Record::hand_over_bytes>("hand_over_bytes",
                                       "size of the largest walker state that was handed over"),
      column<&Record::hand_over_s>("hand_over_s", "time that leaders spent handing over states"),
      column<&Record::cpu_s>("cpu_s",
                             "processor time of all ranks from the common start on, waiting "
                             "included; empty where simulated",
                             When::if_not_zero),
      column<&Record::resumed_items>(
          "resumed_items",
          "items that an earlier run had executed, of whose states this one "
          "resumed; all other columns are about the rest"),
      column<&Record::enough_items>(
          "enough_items",
          "items of a chain after which the run ended because the chains had observed enough; 0 "
          "where it executed all items")};
  columns.insert(columns.end(), of_runs.begin(), of_runs.end());
}

void add_circumstances(Columns& columns) {
  const Columns all{
      column<&Record::waited>("waited",
                              "how processes waited: wrapper, polite, direct, or virtual"),
      column<&Record::cores>("cores",
                             "cores available to the processes on all nodes, by affinity and "
                             "cgroup quota; empty where simulated",
                             When::if_not_zero),
      column<&Record::oversubscribed>("oversubscribed",
                                      "whether ranks outnumber the cores available to them on some "
                                      "node"),
      column<&Record::placement>("placement",
                                 "hash of nodes, ranks on them, binding and MPI library; "
                                 "places/HASH.yaml has them; empty where simulated",
                                 When::if_not_zero),
      column<&Record::load_average_before>(
          "load_average_before", "load average over the minute before, of the busiest node"),
      column<&Record::setup_s>("setup_s", "from the start of the processes to the common start"),
      column<&Record::clock_error_us>(
          "clock_error_us",
          "largest error of times taken on other hosts than rank 0's; 0 where "
          "all share one clock"),
      ending_column<&Ending::began>("began", "time of launch, in UTC; empty where simulated"),
      ending_column<&Ending::wall_s>("wall_s", "of the whole task, launching and ending included")};
  columns.insert(columns.end(), all.begin(), all.end());
}

void add_of_virtual_runs(Columns& columns) {
  Column memory =
      column("memory_mb",
             "peak memory of the virtual engine; only in sweeps with more than 65536 "
             "ranks, whose runs are executed one at a time",
             When::if_not_zero, [](Record& record) -> double& { return record.ending.memory_mb; });
  columns.push_back(std::move(memory));
  constexpr auto details = std::span(event_words).subspan(1);
  columns.push_back(word_column<EventDetail>(
      "events",
      "what is written of its groups: all (events.csv), a summary (regroups.csv), or none", details,
      [](Record& record) -> EventDetail& { return record.ending.events; }));
}

}  // namespace

std::vector<Column> columns_of(const MeasurementKind* kind, const Catalog& catalog) {
  Columns columns{
      {{"run", "text", "hash of all parameters; the same in all files"},
       [](const Record& record) { return fingerprint(record.task); },
       [](Record& record, const std::string& cell) { record.run = cell; }},
      column<&Record::invocation>("invocation", "document of provenance.yaml", When::always),
      word_column<Status>("status",
                          "ok, failed, timeout (timeout_s is over), killed (by a signal), or "
                          "unsupported (library, strategy or nodes do not allow it: no failure)",
                          status_words, [](Record& r) -> Status& { return r.ending.status; }),
      ending_column<&Ending::message>("message",
                                      "why it did not end well; its output is in logs/")};
  add_parameters(columns, kind, catalog);
  if (kind == nullptr) {
    add_figures_of_runs(columns);
  } else {
    for (const NamedFigure& figure : figures_of(*kind)) columns.push_back(figure_column(figure));
  }
  add_circumstances(columns);
  if (kind == nullptr) add_of_virtual_runs(columns);
  return columns;
}

// ---- reading

std::string file_of(const MeasurementKind* kind) {
  return kind == nullptr ? "runs.csv" : fmt::format("{}.csv", kind->name);
}

std::vector<const MeasurementKind*> kinds_of_results(const Catalog& catalog) {
  std::vector<const MeasurementKind*> kinds{nullptr};
  for (const MeasurementKind& kind : catalog.measurements) kinds.push_back(&kind);
  return kinds;
}

const MeasurementKind* kind_in(const std::string& directory, const Catalog& catalog) {
  for (const MeasurementKind* kind : kinds_of_results(catalog)) {
    if (file_exists(directory + "/" + file_of(kind))) return kind;
  }
  throw UserError(fmt::format("{}: there are no results (runs.csv, creation.csv, …)", directory));
}

void each_record(const std::string& directory, const MeasurementKind* kind, const Catalog& catalog,
                 const std::function<void(const CsvRow& row, Record record)>& visit) {
  check_schema(directory);
  const std::vector<Column> columns = columns_of(kind, catalog);
  CsvReader reader(directory + "/" + file_of(kind));
  std::vector<std::size_t> positions;
  for (const Column& column : columns) positions.push_back(reader.column(column.name));
  const Task usual = usual_task(catalog, kind);
  while (reader.next()) {
    const CsvRow row = reader.row();
    Record record;
    record.task = usual;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row.fields[positions[i]];
      try {
        columns[i].read(record, cell);
      } catch (const std::invalid_argument& error) {
        fail_in_row(row, fmt::format("'{}' is no value of {}: {}", one_line(cell), columns[i].name,
                                     error.what()));
      }
    }
    visit(row, std::move(record));
  }
  reader.fail_if_torn();
}

std::vector<Record> read_records(const std::string& directory, const MeasurementKind* kind,
                                 const Catalog& catalog) {
  std::vector<Record> records;
  each_record(directory, kind, catalog,
              [&](const CsvRow&, Record record) { records.push_back(std::move(record)); });
  return records;
}

}  // namespace regroup
