// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/run_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/version.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/plain_text.hpp"
#include "kernel/items/speedup.hpp"
#include "kernel/numbers/hash.hpp"
#include "kernel/regroup_statistics.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/workloads/workload.hpp"

namespace regroup {
namespace {

std::string exact(double number) { return fmt::format("{:.17g}", number); }
std::string yes_no(bool value) { return value ? "yes" : "no"; }

/// All that a row of runs.csv is made from.
struct Row {
  const RunRecord& record;
  const Scenario& run;
  const Outcome* outcome;
  RegroupStatistics statistics;
  double ideal_s;
  std::string problem;
};

struct Column : ResultColumn {
  std::function<std::string(const Row&)> value;
};

template <class Value>
std::function<std::string(const Row&)> if_ok(Value value) {
  return [value](const Row& row) { return row.outcome == nullptr ? std::string() : value(row); };
}

/// What the option `name` means to each row of `list` that has it.
template <class List>
std::string help_of_option(const List& list, std::string_view name) {
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

/// One column for each option of any row of `list`, filled where the run's choice has it.
template <class List>
void add_options(std::vector<Column>& columns, const List& list, Choice Scenario::*choice) {
  std::set<std::string> seen;
  for (const Entry& entry : list) {
    for (const OptionSpec& spec : entry.options) {
      const std::string name(spec.name);
      if (!seen.insert(name).second) continue;
      columns.push_back({{name, help_of_option(list, name)}, [name, choice](const Row& row) {
                           const Options& options = (row.run.*choice).options;
                           return options.has(name) ? options.text(name) : std::string();
                         }});
    }
  }
}

std::vector<Column> make_columns() {
  std::vector<Column> columns{
      {{"run", "sixteen digits that name the parameters of the run, the same in all files"},
       [](const Row& row) { return fingerprint(row.run); }},
      {{"experiment", "name of the sweep"}, [](const Row& row) { return row.run.experiment; }},
      {{"engine", "as configured"}, [](const Row& row) { return row.run.engine; }},
      {{"clock", "of the times: `wall`, `virtual` or `simgrid`"},
       [](const Row& row) { return std::string(find_entry(engines(), row.run.engine)->clock); }},
      {{"ranks", "as configured"}, [](const Row& row) { return std::to_string(row.run.ranks); }},
      {{"cores", "cores of all hosts of the run together; empty in virtual time"},
       if_ok([](const Row& row) {
         return row.outcome->cores == 0 ? "" : std::to_string(row.outcome->cores);
       })},
      {{"oversubscribed", "`yes` where ranks outnumber cores"}, if_ok([](const Row& row) {
         return row.outcome->cores == 0 ? "" : yes_no(row.run.ranks > row.outcome->cores);
       })},
      {{"group_size", "G, as configured"},
       [](const Row& row) { return std::to_string(row.run.group_size); }},
      {{"item_ms", "T, as configured"},
       [](const Row& row) { return fmt::format("{}", row.run.item_ms); }},
      {{"workload", "the workload"}, [](const Row& row) { return row.run.workload.name; }}};
  add_options(columns, standard_catalog().workloads, &Scenario::workload);
  columns.push_back({{"problem",
                      "sixteen digits that name the items of all groups at the start: runs with "
                      "equal digits had the same to do"},
                     [](const Row& row) { return row.problem; }});
  columns.push_back(
      {{"speedup", "the speed-up model"}, [](const Row& row) { return row.run.speedup.name; }});
  add_options(columns, standard_catalog().speedups, &Scenario::speedup);
  columns.push_back({{"jitter", "as configured"},
                     [](const Row& row) { return fmt::format("{}", row.run.jitter); }});
  columns.push_back({{"walker", "as configured"}, [](const Row& row) { return row.run.walker; }});
  columns.push_back(
      {{"balancer", "the balancer"}, [](const Row& row) { return row.run.balancer.name; }});
  add_options(columns, standard_catalog().balancers, &Scenario::balancer);
  const auto statistic = [](auto number) {
    return if_ok([number](const Row& row) { return fmt::format("{}", number(row.statistics)); });
  };
  const std::vector<Column> strategy{
      {{"communicator", "the communicator strategy; empty where groups never merge"},
       [](const Row& row) { return row.run.communicator; }},
      {{"costs", "the cost model of virtual time; empty elsewhere"},
       [](const Row& row) { return row.run.costs.name; }},
  };
  columns.insert(columns.end(), strategy.begin(), strategy.end());
  add_options(columns, standard_catalog().costs, &Scenario::costs);
  const std::vector<Column> rest{
      {{"waiting", "how processes should wait"}, [](const Row& row) { return row.run.waiting; }},
      {{"waited", "how they did: `wrapper`, `polite`, `direct` or `virtual`"},
       if_ok([](const Row& row) { return row.outcome->waiting; })},
      {{"repetition", "which one, from 1 on"},
       [](const Row& row) { return std::to_string(row.run.repetition); }},
      {{"seed", "as configured"}, [](const Row& row) { return std::to_string(row.run.seed); }},
      {{"makespan_s", "from the common start to the end of the last item anywhere"},
       if_ok([](const Row& row) { return exact(row.outcome->makespan_s()); })},
      {{"ideal_s", "(sum of all items) · T / ranks: the time with perfect balance"},
       [](const Row& row) { return exact(row.ideal_s); }},
      {{"efficiency", "`ideal_s / makespan_s`"}, if_ok([](const Row& row) {
         const double makespan = row.outcome->makespan_s();
         return makespan > 0 ? exact(row.ideal_s / makespan) : std::string();
       })},
      {{"regroups_avg", "in how many regroupings a process took part: average over all processes"},
       statistic([](const RegroupStatistics& s) { return s.average; })},
      {{"regroups_stdev", "… population standard deviation"},
       statistic([](const RegroupStatistics& s) { return s.deviation; })},
      {{"regroups_min", "… fewest"}, statistic([](const RegroupStatistics& s) { return s.min; })},
      {{"regroups_max", "… most"}, statistic([](const RegroupStatistics& s) { return s.max; })},
      {{"communicators_alive_max",
        "group communicators that one process had at once: most over the processes"},
       if_ok([](const Row& row) { return std::to_string(row.outcome->communicators_alive_max); })},
      {{"communicators_left",
        "group communicators that one process had left at the end: most over the processes"},
       if_ok([](const Row& row) { return std::to_string(row.outcome->communicators_left); })},
      {{"setup_s", "from the processes' start to the common start"},
       if_ok([](const Row& row) { return exact(row.outcome->setup_s); })},
      {{"wall_s", "of the whole run, with launching and ending"},
       [](const Row& row) { return exact(row.record.wall_s); }},
      {{"memory_mb",
        "most memory that the virtual engine took; only in sweeps with more than 2^16 ranks, whose "
        "runs go one at a time"},
       [](const Row& row) {
         return row.record.memory_mb > 0 ? fmt::format("{:.1f}", row.record.memory_mb) : "";
       }},
      {{"status",
        "`ok`, `failed`, `timeout` (`timeout_s` is over), `killed` (by a signal) or `unsupported` "
        "(the MPI library or SimGrid lacks what it needs: not launched, and no failure)"},
       [](const Row& row) { return std::string(name(row.record.status)); }},
      {{"message", "why the run did not end well; its output is in `logs/`"},
       [](const Row& row) { return one_line(row.record.message); }},
      {{"version", "version and commit of Regroup"},
       [](const Row&) { return std::string(version); }},
      {{"library", "the MPI library that the processes ran with"},
       if_ok([](const Row& row) { return one_line(row.outcome->library); })},
      {{"inputs",
        "names the contents of the files that the run read: a trace, measured costs; empty where "
        "it read none"},
       [](const Row& row) { return row.run.inputs; }},
      {{"variant",
        "the balancer with its options and the communicator strategy, as tables name it"},
       [](const Row& row) { return describe_balancer(row.run); }},
  };
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

const std::vector<Column>& all_columns() {
  static const std::vector<Column> columns = make_columns();
  return columns;
}

}  // namespace

std::vector<ResultColumn> run_columns() { return {all_columns().begin(), all_columns().end()}; }

std::vector<std::string> run_fields(const RunRecord& record, std::span<const std::int64_t> items) {
  const Outcome* outcome = record.outcome ? &*record.outcome : nullptr;
  const Row row{record,
                record.scenario,
                outcome,
                outcome == nullptr ? RegroupStatistics{}
                                   : regroup_statistics(outcome->lives, record.scenario.ranks),
                ideal_s(record.scenario, items),
                hash_text(fmt::format("{}", fmt::join(items, " ")))};
  std::vector<std::string> fields;
  for (const Column& column : all_columns()) fields.push_back(column.value(row));
  return fields;
}

}  // namespace regroup
