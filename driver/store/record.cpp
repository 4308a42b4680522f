// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "driver/store/keys.hpp"
#include "kernel/files/files.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/resolve.hpp"

namespace regroup {

namespace {

Agreement agreement_of(const Convergence& found) {
  const auto figure = [](double value) { return std::isnan(value) ? 0 : value; };
  Agreement agreement;
  (found.of_draws ? agreement.r_hat : agreement.batch_r_hat) = figure(found.r_hat());
  (found.of_draws ? agreement.effective_samples : agreement.batch_effective_samples) =
      figure(found.effective_samples());
  if (const auto* worst = found.worst()) agreement.worst_quantity = worst->name;
  return agreement;
}

}  // namespace

Record record_of(Finished finished) {
  Record record;
  record.task = std::move(finished.task);
  record.ending = std::move(finished.ending);
  if (finished.outcome) record.outcome = *std::move(finished.outcome);
  if (!record.task.is_run()) return record;
  const Outcome& outcome = record.outcome;
  const Items needed =
      needed_items(executed_items(record.task, initial_items(record.task), outcome), outcome);
  record.problem = problem_of(needed);
  const LeastTimes least = least_times(record.task, needed, outcome.lives);
  record.ideal_s = least.ideal_s;
  record.bound_s = least.bound_s;
  if (!record.ok()) return record;
  record.makespan_s = outcome.makespan_s();
  record.regroups = regroup_statistics(outcome.lives, record.task.ranks);
  record.effects = regroup_effects(outcome.lives);
  record.losses = loss_statistics(outcome.lives);
  record.chains_failed = static_cast<int>(outcome.failures.size());
  record.convergence =
      convergence_of(outcome.reports, record.task.run().walker->quantity_names(), outcome.failures);
  record.agreement = agreement_of(record.convergence);
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
  if_known,     ///< empty if it is zero and walkers take their own time
  if_ok,        ///< empty unless the task ended well
  if_not_zero,  ///< empty also if it is zero, which means that there is no value
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
    if (!value) throw std::invalid_argument("it is not a number");
    return *value;
  }
}

/// Returns the member of `record` at the end of the chain of member pointers `Path`.
template <auto... Path>
auto& member(auto& record) {
  return (record.*....*Path);
}

template <auto... Path>
Column column(std::string name, std::string help, When when = When::if_ok) {
  using Value = std::remove_cvref_t<decltype(member<Path...>(std::declval<Record&>()))>;
  return {{std::move(name), type_of<Value>(), std::move(help)},
          [when](const Record& record) -> std::string {
            const Value& value = member<Path...>(record);
            if (when >= When::if_ok && !record.ok()) return {};
            const bool zero_is_none = when == When::if_not_zero ||
                                      (when == When::if_known && record.task.has_own_times());
            if (zero_is_none && value == Value()) return {};
            return cell_of(value);
          },
          [when](Record& record, const std::string& cell) {
            if (cell.empty() && when != When::always) return;
            member<Path...>(record) = value_in<Value>(cell);
          }};
}

template <auto... Path>
Column of_outcome(std::string name, std::string help, When when = When::if_ok) {
  return column<&Record::outcome, Path...>(std::move(name), std::move(help), when);
}

/// Returns a column of an enumeration in Ending whose values are named by `words`.
template <auto Member>
Column word_column(std::string name, std::string help, std::span<const std::string_view> words) {
  using Value = std::remove_cvref_t<decltype(std::declval<Ending&>().*Member)>;
  return {{std::move(name), fmt::format("{}", fmt::join(words, " | ")), std::move(help)},
          [words](const Record& record) {
            return std::string(words[static_cast<std::size_t>(record.ending.*Member)]);
          },
          [words](Record& record, const std::string& cell) {
            const auto found = std::ranges::find(words, cell);
            if (found == words.end()) {
              throw std::invalid_argument(fmt::format("allowed: {}", fmt::join(words, " | ")));
            }
            record.ending.*Member = static_cast<Value>(found - words.begin());
          }};
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

/// Returns the column for all parameters without a column of their own that differ from defaults.
Column settings_column(const MeasurementKind* kind, const Catalog& catalog) {
  std::vector<const Parameter*> rare;
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(kind) || parameter.column != Parameter::Column::settings) continue;
    rare.push_back(&parameter);
  }
  return {{"settings", "KEY=VALUE …",
           "parameters that have no column and differ from their defaults. `inputs` is a hash of "
           "the files that the run read."},
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
        set_option(record.task.measurement(), std::string(spec.name), cell, catalog);
      }};
}

Column figure_column(const NamedFigure& figure) {
  return {{figure.name, figure.is_count ? "integer" : "number", figure.help},
          [name = figure.name](const Record& record) {
            const auto found = record.outcome.figures.find(name);
            return found == record.outcome.figures.end() ? "" : cell_of(found->second);
          },
          [name = figure.name](Record& record, const std::string& cell) {
            if (!cell.empty()) record.outcome.figures[name] = value_in<double>(cell);
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
  const Columns of_runs{
      {{"clock", "wall | virtual | simgrid", "clock of all times"},
       [](const Record& record) { return std::string(record.task.run().engine->clock); },
       [](Record&, const std::string&) {}},
      column<&Record::problem>(
          "problem", "hash of the items of each chain. Runs with equal work have equal hashes.",
          When::always),
      column<&Record::makespan_s>(
          "makespan_s", "time from the common start of the run to the end of its last item"),
      column<&Record::ideal_s>(
          "ideal_s",
          "time with perfect balance and perfect speed-up. If item times are unknown before the "
          "run, it is computed from the measured ones. Empty if unknown.",
          When::if_known),
      column<&Record::bound_s>("bound_s",
                               "lower bound of the makespan of all schedules, even with free "
                               "communication. Empty if unknown.",
                               When::if_known),
      column<&Record::regroups, &RegroupStatistics::average>(
          "regroups_avg", "regroupings per process: average over all processes"),
      column<&Record::regroups, &RegroupStatistics::deviation>("regroups_stdev",
                                                               "… population standard deviation"),
      column<&Record::regroups, &RegroupStatistics::min>("regroups_min", "… minimum"),
      column<&Record::regroups, &RegroupStatistics::max>("regroups_max", "… maximum"),
      column<&Record::effects, &RegroupEffects::probes>(
          "probes", "groups created for a chain with a size that no earlier group of the run had"),
      column<&Record::effects, &RegroupEffects::undone>(
          "undone", "number of times that a chain continued in a smaller group"),
      of_outcome<&Outcome::communicators_alive_max>(
          "communicators_alive_max",
          "maximum number of group communicators that a process had at the same time"),
      of_outcome<&Outcome::where, &Placement::groups_across_nodes>(
          "groups_across_nodes", "groups (rows of events.csv) with ranks on several nodes"),
      of_outcome<&Outcome::chains_hash>("chains_hash",
                                        "hash of the final states of all chains and of the results "
                                        "of their items. Empty if walkers have no state or are not "
                                        "reproducible.",
                                        When::if_not_zero),
      column<&Record::agreement, &Agreement::r_hat>(
          "r_hat",
          "largest R-hat of all quantities, from the draws (rank-normalised, split and folded). It "
          "is near 1 if the chains agree. Empty if a quantity does not vary.",
          When::if_not_zero),
      column<&Record::agreement, &Agreement::effective_samples>(
          "effective_samples",
          "smallest effective sample size of all quantities, bulk or tail, from the draws",
          When::if_not_zero),
      column<&Record::agreement, &Agreement::batch_r_hat>(
          "batch_r_hat",
          "if draws are not kept: largest R-hat of all quantities, from the means and variances of "
          "reports",
          When::if_not_zero),
      column<&Record::agreement, &Agreement::batch_effective_samples>(
          "batch_effective_samples",
          "… smallest effective sample size of all quantities, by batch means. A conservative "
          "estimate.",
          When::if_not_zero),
      column<&Record::agreement, &Agreement::worst_quantity>(
          "worst_quantity", "the quantity with the fewest effective samples. See quantities.csv.",
          When::if_not_zero),
      of_outcome<&Outcome::walker_communicators>(
          "walker_communicators",
          "MPI communicators that walkers requested: maximum over all processes"),
      of_outcome<&Outcome::walker_communicators_s>(
          "walker_communicators_s",
          "time spent creating these communicators, maximum over all processes"),
      of_outcome<&Outcome::hand_over_bytes>(
          "hand_over_bytes", "size of the largest walker state that was handed over"),
      of_outcome<&Outcome::hand_over_s>("hand_over_s",
                                        "time that leaders spent handing over states, including "
                                        "the work of walkers that join a team"),
      of_outcome<&Outcome::cpu_s>("cpu_s",
                                  "processor time of all ranks since the common start, including "
                                  "waiting. Empty if simulated.",
                                  When::if_not_zero),
      of_outcome<&Outcome::resumed_items>(
          "resumed_items",
          "items that were executed by the earlier run that this run continues. Columns with "
          "results of the chains, such as `chains_hash`, include these items. Times and `problem` "
          "do not."),
      of_outcome<&Outcome::enough_items>(
          "enough_items",
          "items per chain after which a run with `until_r_hat` or `until_effective_samples` "
          "ended. 0 if it executed all items."),
      column<&Record::losses, &LossStatistics::ranks_lost>(
          "ranks_lost", "ranks that were lost while the other ranks continued"),
      column<&Record::losses, &LossStatistics::items_repeated>(
          "items_repeated", "items that were lost with ranks and executed again"),
      column<&Record::losses, &LossStatistics::recovery_s>(
          "recovery_s",
          "time from the first report of a loss until all groups continued: sum over the losses"),
      column<&Record::chains_failed>(
          "chains_failed",
          "chains that failed, with reasons in chains.csv. Statistics of chains exclude them.")};
  columns.insert(columns.end(), of_runs.begin(), of_runs.end());
}

void add_circumstances(Columns& columns) {
  const Columns all{
      of_outcome<&Outcome::waiting>(
          "waited", "how processes waited: `wrapper`, `polite`, `direct`, or `virtual`"),
      of_outcome<&Outcome::where, &Placement::cores>(
          "cores",
          "cores available to the processes on all nodes, by affinity and cgroup quota. Empty if "
          "simulated.",
          When::if_not_zero),
      of_outcome<&Outcome::where, &Placement::crowded>(
          "oversubscribed",
          "whether ranks outnumber the cores available to them on some "
          "node"),
      of_outcome<&Outcome::where, &Placement::placement>(
          "placement",
          "hash of nodes, their ranks, binding and MPI library, as in places/HASH.yaml. Empty if "
          "simulated.",
          When::if_not_zero),
      of_outcome<&Outcome::where, &Placement::load_average_before>(
          "load_average_before", "load average of the busiest node over the minute before the run"),
      of_outcome<&Outcome::setup_s>(
          "setup_s", "time from the start of the processes to the common start of the run"),
      of_outcome<&Outcome::clock_error_us>("clock_error_us",
                                           "largest error of times measured on other hosts than "
                                           "that of rank 0. 0 if all share a clock."),
      column<&Record::ending, &Ending::began>(
          "began", "time of the launch, in UTC. Empty if simulated.", When::always),
      column<&Record::ending, &Ending::wall_s>(
          "wall_s", "duration of the task, including launch and exit", When::always)};
  columns.insert(columns.end(), all.begin(), all.end());
}

void add_of_virtual_runs(Columns& columns) {
  columns.push_back(column<&Record::ending, &Ending::memory_mb>(
      "memory_mb", "peak memory of the engine `virtual`. Only measured by `run --jobs 1`.",
      When::if_not_zero));
  columns.push_back(word_column<&Ending::events>(
      "events",
      "what is stored about groups: `all` in events.csv, a `summary` in regroups.csv, or `none`",
      std::span(event_words).subspan(1)));
}

}  // namespace

std::vector<Column> columns_of(const MeasurementKind* kind, const Catalog& catalog) {
  Columns columns{
      {{"run", "text", "hash of all parameters. The same in all files."},
       [](const Record& record) { return fingerprint(record.task); },
       [](Record& record, const std::string& cell) { record.run = cell; }},
      column<&Record::invocation>(
          "invocation", "index of the document in provenance.yaml that describes the invocation",
          When::always),
      word_column<&Ending::status>(
          "status",
          "outcome of the task: `ok`, `failed`, `timeout` after `timeout_s`, `killed` by a signal, "
          "or `unsupported`, which is no failure: the task is impossible with this library, "
          "strategy or number of nodes",
          status_words),
      column<&Record::ending, &Ending::message>(
          "message", "reason if the task did not end well. Its output is in logs/.", When::always)};
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
                 const std::function<void(const CsvRow& row, Record record)>& visit,
                 std::optional<std::size_t> most) {
  check_schema(directory);
  const std::vector<Column> columns = columns_of(kind, catalog);
  CsvReader reader(directory + "/" + file_of(kind));
  std::vector<std::size_t> positions;
  for (const Column& column : columns) positions.push_back(reader.column(column.name));
  const Task usual = usual_task(catalog, kind);
  for (std::size_t rows = 0; (!most || rows < *most) && reader.next(); ++rows) {
    const CsvRow row = reader.row();
    Record record;
    record.task = usual;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row.fields[positions[i]];
      try {
        columns[i].read(record, cell);
      } catch (const std::invalid_argument& error) {
        fail_in_row(row, fmt::format("'{}' is not a valid value of {}: {}", one_line(cell),
                                     columns[i].name, error.what()));
      }
    }
    visit(row, std::move(record));
  }
  if (!most) reader.fail_if_torn();
}

std::vector<Record> read_records(const std::string& directory, const MeasurementKind* kind,
                                 const Catalog& catalog, const Where& where) {
  std::vector<Record> records;
  each_record_where(where, directory, kind, catalog,
                    [&](const CsvRow&, Record record) { records.push_back(std::move(record)); });
  return records;
}

}  // namespace regroup
