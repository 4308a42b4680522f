// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "driver/store/provenance.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/plain_text.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace content {

Content one_of(std::vector<std::string> words) {
  return {Content::Type::choice, false, std::move(words)};
}

Content maybe(Content content) {
  content.may_be_empty = true;
  return content;
}

}  // namespace content

Content content_of(const OptionSpec& spec) {
  switch (spec.type) {
    case OptionSpec::Type::integer:
      return content::integer;
    case OptionSpec::Type::real:
      return content::number;
    case OptionSpec::Type::choice:
      return content::one_of({spec.words.begin(), spec.words.end()});
    case OptionSpec::Type::file:
    case OptionSpec::Type::groups:
      break;
  }
  return content::text;
}

Content either(const Content& one, const Content& other) {
  using enum Content::Type;
  Content both = one;
  both.may_be_empty = one.may_be_empty || other.may_be_empty;
  for (const std::string& next : other.words) {
    if (std::ranges::find(both.words, next) == both.words.end()) both.words.push_back(next);
  }
  if (one.type == other.type) return both;
  const auto counts = [](const Content& c) { return c.type == integer || c.type == number; };
  return {counts(one) && counts(other) ? number : text, both.may_be_empty};
}

std::string_view name(Content::Type type) {
  constexpr std::array<std::string_view, 6> names{"integer", "number", "text",
                                                  "choice",  "yes/no", "time"};
  return names.at(static_cast<std::size_t>(type));
}

std::string_view unit_of(std::string_view column) {
  // The longer ones first.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> units{{{"_mb_s", "MB/s"},
                                                                                {"_bytes", "byte"},
                                                                                {"_mb", "MB"},
                                                                                {"_us", "µs"},
                                                                                {"_ms", "ms"},
                                                                                {"_s", "s"}}};
  for (const auto& [ending, unit] : units) {
    if (column.ends_with(ending)) return unit;
  }
  return {};
}

namespace {

// Columns of parameters and of the options of what they name, and those of measurements.

/// What the option `name` means to each row of `list` that has it.
std::string help_of_option(const Entries& list, std::string_view name) {
  std::vector<std::pair<std::string_view, std::string>> helps;
  for (const Entry& entry : list) {
    const OptionSpec* spec = find_entry(entry.options, name);
    if (spec == nullptr) continue;
    const auto same = std::ranges::find(helps, spec->help, [](const auto& h) { return h.first; });
    if (same == helps.end()) {
      helps.emplace_back(spec->help, fmt::format("`{}`", entry.name));
    } else {
      same->second += fmt::format(", `{}`", entry.name);
    }
  }
  std::string text;
  for (const auto& [help, names] : helps) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", names, help);
  }
  return text;
}

/// What stands for the option where any of `list` has it, and nothing where the choice lacks it.
Content content_of_option(const Entries& list, std::string_view name) {
  std::optional<Content> content;
  for (const Entry& entry : list) {
    const OptionSpec* spec = find_entry(entry.options, name);
    if (spec == nullptr) continue;
    const Content own = content_of(*spec);
    content = content ? either(*content, own) : own;
  }
  return content::maybe(content.value());
}

Content content_of(const Parameter& parameter) {
  Content content = content_of(parameter.spec);
  content.may_be_empty = parameter.may_be_empty;
  if (parameter.list != nullptr) {
    for (const Entry& entry : parameter.list()) content.words.emplace_back(entry.name);
  }
  return content;
}

}  // namespace

std::vector<ParameterColumn> columns_of(const Parameter& parameter) {
  std::vector<ParameterColumn> columns{
      {{std::string(parameter.spec.name), content_of(parameter), std::string(parameter.spec.help)},
       [&parameter](const Scenario& task) { return text_of(parameter, task); }}};
  const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member);
  if (choice == nullptr) return columns;
  std::set<std::string> seen;
  for (const Entry& entry : parameter.list()) {
    for (const OptionSpec& spec : entry.options) {
      const std::string name(spec.name);
      if (!seen.insert(name).second) continue;
      columns.push_back({{name, content_of_option(parameter.list(), name),
                          help_of_option(parameter.list(), name)},
                         [name, choice = *choice](const Scenario& task) {
                           const Options& options = (task.*choice).options;
                           return options.has(name) ? options.text(name) : std::string();
                         }});
    }
  }
  return columns;
}

void add_measured(Columns& columns, const MeasurementKind& kind) {
  for (const OptionSpec& spec : kind.options) {
    const std::string name(spec.name);
    columns.push_back({{name, content_of(spec), std::string(spec.help)},
                       [name](const Row& row) { return row.task.measure.options.text(name); }});
    if (name != "communicator") continue;
    columns.push_back({{"caller", content::maybe(content::one_of({"parent", "group"})),
                        "who must enter the strategy's call: `parent` or `group`"},
                       [](const Row& row) {
                         const auto& rows = standard_catalog().strategies;
                         const Strategy* strategy = find_entry(rows, strategy_of(row.task));
                         if (strategy == nullptr) return "";
                         return strategy->caller == Caller::parent ? "parent" : "group";
                       }});
  }
  for (const Figure& figure : kind.figures) {
    const std::string name(figure.name);
    columns.push_back(if_ok(
        {name, figure.is_count ? content::integer : content::number, std::string(figure.help)},
        [name](const Row& row) {
          const auto found = row.outcome->figures.find(name);
          return found == row.outcome->figures.end() ? std::string() : exact(found->second);
        }));
  }
}

namespace {

/// Empty where there is no place, too.
template <class Value>
Column if_placed(ResultColumn column, Value value) {
  return if_ok(std::move(column), [value](const Row& row) {
    const Placement& where = row.outcome->where;
    return where.nodes == 0 ? std::string() : value(where);
  });
}

Column count(ResultColumn column, int Placement::*member) {
  return if_placed(std::move(column),
                   [member](const Placement& where) { return std::to_string(where.*member); });
}

}  // namespace

Columns columns_of_cores() {
  return {
      count({"cores", content::integer,
             "cores that the processes may use, of all nodes together, by their affinity and the "
             "quotas of control groups; empty where they are simulated"},
            &Placement::cores),
      if_placed(
          {"oversubscribed", content::yes_no,
           "`yes` where on some node ranks outnumber the cores that they may use, or some rank "
           "has no core for itself, as ranks are bound"},
          [](const Placement& where) { return std::string(where.crowded ? "yes" : "no"); })};
}

void add_place(Columns& columns, bool runs) {
  columns.push_back(
      count({"nodes", content::integer, "hosts that the processes were on; empty where simulated"},
            &Placement::nodes));
  columns.push_back(count({"ranks_per_node_min", content::integer, "fewest ranks on one of them"},
                          &Placement::ranks_per_node_min));
  columns.push_back(count({"ranks_per_node_max", content::integer, "most ranks on one of them"},
                          &Placement::ranks_per_node_max));
  columns.push_back(if_placed(
      {"placement", content::text,
       "sixteen digits that name the nodes, which rank was where, what ranks were bound to, what "
       "else matters of the nodes, and the MPI library; `places/` has a file of this name"},
      [](const Placement& where) { return where.placement; }));
  if (runs) {
    columns.push_back(if_ok({"groups_across_nodes", content::integer,
                             "groups (rows of `events.csv`) that had ranks on "
                             "several nodes; simulated ones, too, where `ranks_per_node` says so"},
                            [](const Row& row) {
                              const Placement& where = row.outcome->where;
                              const bool nowhere = where.nodes == 0 && row.task.ranks_per_node == 0;
                              return nowhere ? "" : std::to_string(where.groups_across_nodes);
                            }));
  }
  columns.push_back({{"began", content::maybe(content::utc_time),
                      "when the task was launched, in UTC; empty where simulated"},
                     [](const Row& row) { return row.record.began; }});
  columns.push_back(if_placed({"job_id", content::text,
                               "the job of the scheduler (Slurm, PBS, Flux or LSF) that it ran in"},
                              [](const Placement& where) { return one_line(where.job_id); }));
  columns.push_back(if_placed(
      {"load_average_before", content::number,
       "processes that ran, or waited to, in the minute before (the load average of the system) "
       "on the node that had most of them"},
      [](const Placement& where) { return fmt::format("{}", where.load_average_before); }));
}

namespace {

template <class Value>
Column statistic(ResultColumn column, Value value) {
  return if_ok(std::move(column),
               [value](const Row& row) { return fmt::format("{}", value(row.groups.statistics)); });
}

std::vector<std::string> clocks() {
  std::vector<std::string> words;
  for (const EngineEntry& engine : standard_catalog().engines) words.emplace_back(engine.clock);
  return words;
}

/// What stands behind the column of a parameter, because it is to be seen with it.
const std::multimap<std::string_view, Column>& behind() {
  static const std::multimap<std::string_view, Column> columns{
      {"engine",
       {{"clock", content::one_of(clocks()), "of the times: `wall`, `virtual` or `simgrid`"},
        [](const Row& row) { return std::string(engine_of(row.task).clock); }}},
      {"workload",
       {{"problem", content::text,
         "sixteen digits that name the items of all walkers, of those that went on from states the "
         "rest: runs with equal digits had the same to do"},
        [](const Row& row) { return row.problem; }}},
      {"waiting", if_ok({"waited", content::one_of({"wrapper", "polite", "direct", "virtual"}),
                         "how processes waited: `wrapper`, `polite`, `direct` or `virtual`"},
                        [](const Row& row) { return row.outcome->waiting; })},
  };
  return columns;
}

Columns figures_of_runs() {
  return {
      if_ok({"makespan_s", content::number,
             "from the common start to the end of the last item anywhere"},
            [](const Row& row) { return exact(row.groups.makespan_s); }),
      {{"ideal_s", content::number,
        "(sum of all items) · T / ranks: the time with perfect balance"},
       [](const Row& row) { return exact(row.ideal_s); }},
      if_ok({"efficiency", content::number, "`ideal_s / makespan_s`"},
            [](const Row& row) {
              const double makespan = row.groups.makespan_s;
              return makespan > 0 ? exact(row.ideal_s / makespan) : std::string();
            }),
      statistic({"regroups_avg", content::number,
                 "in how many regroupings a process took part: average over all processes"},
                [](const RegroupStatistics& s) { return s.average; }),
      statistic({"regroups_stdev", content::number, "… population standard deviation"},
                [](const RegroupStatistics& s) { return s.deviation; }),
      statistic({"regroups_min", content::integer, "… fewest"},
                [](const RegroupStatistics& s) { return s.min; }),
      statistic({"regroups_max", content::integer, "… most"},
                [](const RegroupStatistics& s) { return s.max; }),
      if_ok({"communicators_alive_max", content::integer,
             "group communicators that one process had at once: most over the processes"},
            [](const Row& row) { return std::to_string(row.outcome->communicators_alive_max); }),
      if_ok({"communicators_left", content::integer,
             "group communicators that one process had left at the end: most over the processes"},
            [](const Row& row) { return std::to_string(row.outcome->communicators_left); }),
  };
}

/// How the task went. `runs`: whether it is a run.
void add_ending(Columns& columns, bool runs) {
  const auto add = [&](bool there, Column column) {
    if (there) columns.push_back(std::move(column));
  };
  add(true, if_ok({"setup_s", content::number, "from the processes' start to the common start"},
                  [](const Row& row) { return exact(row.outcome->setup_s); }));
  add(true, {{"wall_s", content::number, "of the whole task, with launching and ending"},
             [](const Row& row) { return exact(row.record.wall_s); }});
  add(runs, {{"memory_mb", content::maybe(content::number),
              "most memory that the virtual engine took; only in sweeps with more than 2^16 "
              "ranks, whose runs go one at a time"},
             [](const Row& row) {
               const double memory = row.record.memory_mb;
               return memory > 0 ? fmt::format("{:.1f}", memory) : "";
             }});
  add(true, {{"status", content::one_of({status_words.begin(), status_words.end()}),
              "`ok`, `failed`, `timeout` (`timeout_s` is over), `killed` (by a signal) or "
              "`unsupported` (the MPI library or SimGrid lacks what it needs, or the strategy "
              "cannot form such groups, or the nodes do not allow them: not done, and no failure)"},
             [](const Row& row) { return std::string(name(row.record.status)); }});
  add(true, {{"message", content::maybe(content::text),
              "why the task did not end well, or that its processes did not end; its output is in "
              "`logs/`"},
             [](const Row& row) { return one_line(row.record.message); }});
  add(true, {{"schema", content::integer,
              "of these results: a program that reads another one refuses them"},
             [](const Row&) { return std::to_string(schema); }});
  add(true, {{"regroup_version", content::text, "version and commit of Regroup"},
             [](const Row& row) { return row.record.version; }});
  add(true, if_ok({"mpi_library", content::text, "the MPI library that the processes ran with"},
                  [](const Row& row) { return one_line(row.outcome->library); }));
  add(runs, {{"inputs_hash", content::maybe(content::text),
              "names the contents of the files that the run read: a trace, measured costs; empty "
              "where it read none"},
             [](const Row& row) { return row.task.inputs; }});
  add(runs, {{"variant", content::text,
              "the balancer with its options and the communicator strategy, as tables name it"},
             [](const Row& row) { return describe_balancer(row.task); }});
  add(runs, {{"bound_s", content::number,
              "the time below which no schedule can end, whatever it regroups and at no cost: "
              "`ideal_s` with perfect speed-up, more where larger groups are less efficient"},
             [](const Row& row) { return exact(row.bound_s); }});
  add(runs, if_ok({"of_bound", content::number, "`makespan_s / bound_s`"}, [](const Row& row) {
        return row.bound_s > 0 ? exact(row.groups.makespan_s / row.bound_s) : "";
      }));
  add(runs,
      if_ok({"chains_hash", content::text,
             "sixteen digits that name all that the chains came to, item by item; empty where "
             "walkers have no state"},
            [](const Row& row) { return row.outcome->chains_hash; }));
  add(runs, if_ok({"hand_over_bytes", content::integer,
                   "the largest state of a walker that was handed over"},
                  [](const Row& row) { return std::to_string(row.outcome->hand_over_bytes); }));
  add(runs,
      if_ok({"hand_over_s", content::number, "that leaders spent on handing states over, in all"},
            [](const Row& row) { return exact(row.outcome->hand_over_s); }));
  add(runs,
      if_ok({"cpu_s", content::number,
             "processor time that all ranks took from the common start on, waiting included; empty "
             "where they are simulated"},
            [](const Row& row) { return positive(row.outcome->cpu_s); }));
  add(runs,
      if_ok(
          {"r_hat", content::number,
           "the potential scale reduction of what the chains observed (Gelman and Rubin), without "
           "the first half of each; near 1 where they agree; empty where it has no meaning"},
          [](const Row& row) { return positive(row.convergence.r_hat); }));
  add(runs, if_ok({"effective_samples", content::number,
                   "independent samples that theirs are worth, by batch means; empty likewise"},
                  [](const Row& row) { return positive(row.convergence.effective_samples); }));
  add(runs, if_ok({"observed_mean", content::number, "the mean of what they observed, likewise"},
                  [](const Row& row) {
                    return row.outcome->reports.empty() ? "" : exact(row.convergence.mean);
                  }));
  add(runs,
      if_ok({"enough_items", content::integer,
             "items of a chain after which all had observed enough, so that the run ended: what "
             "is told of their observations and in `chains_hash` is as of then; 0 where it ended "
             "because there was no more to do"},
            [](const Row& row) { return std::to_string(row.outcome->enough_items); }));
  add(runs,
      if_ok({"resumed_items", content::integer,
             "items that an earlier run had executed: the chains went on from its states, and all "
             "other columns tell of the rest"},
            [](const Row& row) { return std::to_string(row.outcome->resumed_items); }));
  add(true,
      if_ok({"clock_error_us", content::number,
             "times that processes of different hosts took are wrong by no more on each host, in "
             "microseconds: half of the shortest round trip of messages that compared its clock "
             "with rank 0's; 0 where all share one clock"},
            [](const Row& row) { return exact(row.outcome->clock_error_us); }));
  add_place(columns, runs);
  add(runs, if_ok({"events", content::one_of({"all", "summary", "none"}),
                   "what is written of its groups: `all`, in `events.csv`; a `summary`, in "
                   "`regroups.csv` alone; or `none`"},
                  [](const Row& row) { return std::string(name(row.record.events)); }));
}

Columns make_columns(std::string_view kind) {
  const bool runs = kind == "run";
  Columns columns{
      {{"run", content::text, "sixteen digits that name the parameters, the same in all files"},
       [](const Row& row) { return fingerprint(row.task); }},
      {{"experiment", content::text, "name of the sweep"},
       [](const Row& row) { return row.task.experiment; }}};
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies(kind)) continue;
    if (parameter.spec.name == "measure") {
      add_measured(columns, *find_entry(standard_catalog().measurements, kind));
    }
    if (!parameter.is_column()) continue;
    for (const ParameterColumn& column : columns_of(parameter)) {
      columns.push_back(
          {column, [value = column.value](const Row& row) { return value(row.task); }});
    }
    if (parameter.spec.name == "ranks") {
      std::ranges::move(columns_of_cores(), std::back_inserter(columns));
    }
    const auto [first, last] = behind().equal_range(parameter.spec.name);
    for (auto next = first; next != last; ++next) columns.push_back(next->second);
  }
  if (runs) std::ranges::move(figures_of_runs(), std::back_inserter(columns));
  add_ending(columns, runs);
  return columns;
}

const Columns& all_columns(std::string_view kind) {
  static const std::map<std::string, Columns, std::less<>> all = [] {
    std::map<std::string, Columns, std::less<>> columns{{"run", make_columns("run")}};
    for (const MeasurementKind& measured : standard_catalog().measurements) {
      columns.emplace(measured.name, make_columns(measured.name));
    }
    return columns;
  }();
  return all.find(kind)->second;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<ResultColumn>& columns) {
  std::vector<std::string> names;
  for (const ResultColumn& column : columns) names.push_back(column.name);
  return names;
}

std::string file_of(std::string_view kind) {
  return kind == "run" ? "runs.csv" : fmt::format("{}.csv", kind);
}

std::vector<ResultColumn> columns_of(std::string_view kind) {
  const Columns& columns = all_columns(kind);
  return {columns.begin(), columns.end()};
}

void check_columns() {
  std::vector<std::string> names = names_of(columns_of("run"));
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return;
  throw std::invalid_argument(fmt::format(
      "a row that was added has the option '{}', which is a column of runs.csv already; allowed: "
      "another name, or to share it with rows of the same list",
      *twice));
}

GroupFigures group_figures(const Outcome& outcome, int ranks) {
  return {outcome.makespan_s(), regroup_statistics(outcome.lives, ranks)};
}

std::vector<std::string> fields_of(const Record& record, std::span<const std::int64_t> items) {
  const bool lived = record.task.is_run() && record.outcome;
  return fields_of(record, items,
                   lived ? group_figures(*record.outcome, record.task.ranks) : GroupFigures());
}

std::vector<std::string> fields_of(const Record& record, std::span<const std::int64_t> items,
                                   const GroupFigures& groups) {
  const Scenario& task = record.task;
  const Outcome* outcome = record.outcome ? &*record.outcome : nullptr;
  const bool lived = task.is_run() && outcome != nullptr;
  Row row{record, task, outcome, groups, lived ? convergence_of(outcome->reports) : Convergence(),
          0,      0,    ""};
  if (task.is_run()) {
    const Items executed = lived
                               ? executed_items(task, items, outcome->lives, outcome->resumed_items)
                               : Items(items.begin(), items.end());
    row.ideal_s = ideal_s(task, executed);
    row.bound_s = bound_s(task, executed);
    row.problem = problem_of(lived && outcome->resumed_items > 0 ? executed : items);
  }
  std::vector<std::string> fields;
  for (const Column& column : all_columns(task.kind())) fields.push_back(column.value(row));
  return fields;
}

}  // namespace regroup
