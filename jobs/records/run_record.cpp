// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/records/run_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

struct Column {
  std::string name;
  std::function<std::string(const Row&)> value;
};

template <class Value>
std::function<std::string(const Row&)> if_ok(Value value) {
  return [value](const Row& row) { return row.outcome == nullptr ? std::string() : value(row); };
}

/// One column for each option of any row of `list`, filled where the run's choice has it.
template <class List>
void add_options(std::vector<Column>& columns, const List& list, Choice Scenario::*choice) {
  std::set<std::string> seen;
  for (const Entry& entry : list) {
    for (const OptionSpec& spec : entry.options) {
      const std::string name(spec.name);
      if (!seen.insert(name).second) continue;
      columns.push_back({name, [name, choice](const Row& row) {
                           const Options& options = (row.run.*choice).options;
                           return options.has(name) ? options.text(name) : std::string();
                         }});
    }
  }
}

std::vector<Column> make_columns() {
  std::vector<Column> columns{
      {"run", [](const Row& row) { return fingerprint(row.run); }},
      {"experiment", [](const Row& row) { return row.run.experiment; }},
      {"engine", [](const Row& row) { return row.run.engine; }},
      {"clock",
       [](const Row& row) { return std::string(find_entry(engines(), row.run.engine)->clock); }},
      {"ranks", [](const Row& row) { return std::to_string(row.run.ranks); }},
      {"cores", if_ok([](const Row& row) {
         return row.outcome->cores == 0 ? "" : std::to_string(row.outcome->cores);
       })},
      {"oversubscribed", if_ok([](const Row& row) {
         return row.outcome->cores == 0 ? "" : yes_no(row.run.ranks > row.outcome->cores);
       })},
      {"group_size", [](const Row& row) { return std::to_string(row.run.group_size); }},
      {"item_ms", [](const Row& row) { return fmt::format("{}", row.run.item_ms); }},
      {"workload", [](const Row& row) { return row.run.workload.name; }}};
  add_options(columns, standard_catalog().workloads, &Scenario::workload);
  columns.push_back({"problem", [](const Row& row) { return row.problem; }});
  columns.push_back({"speedup", [](const Row& row) { return row.run.speedup.name; }});
  add_options(columns, standard_catalog().speedups, &Scenario::speedup);
  columns.push_back({"jitter", [](const Row& row) { return fmt::format("{}", row.run.jitter); }});
  columns.push_back({"walker", [](const Row& row) { return row.run.walker; }});
  columns.push_back({"balancer", [](const Row& row) { return row.run.balancer.name; }});
  add_options(columns, standard_catalog().balancers, &Scenario::balancer);
  const auto statistic = [](auto number) {
    return if_ok([number](const Row& row) { return fmt::format("{}", number(row.statistics)); });
  };
  const std::vector<Column> strategy{
      {"communicator", [](const Row& row) { return row.run.communicator; }},
      {"costs", [](const Row& row) { return row.run.costs.name; }},
  };
  columns.insert(columns.end(), strategy.begin(), strategy.end());
  add_options(columns, standard_catalog().costs, &Scenario::costs);
  const std::vector<Column> rest{
      {"waiting", [](const Row& row) { return row.run.waiting; }},
      {"waited", if_ok([](const Row& row) { return row.outcome->waiting; })},
      {"repetition", [](const Row& row) { return std::to_string(row.run.repetition); }},
      {"seed", [](const Row& row) { return std::to_string(row.run.seed); }},
      {"makespan_s", if_ok([](const Row& row) { return exact(row.outcome->makespan_s()); })},
      {"ideal_s", [](const Row& row) { return exact(row.ideal_s); }},
      {"efficiency", if_ok([](const Row& row) {
         const double makespan = row.outcome->makespan_s();
         return makespan > 0 ? exact(row.ideal_s / makespan) : std::string();
       })},
      {"regroups_avg", statistic([](const RegroupStatistics& s) { return s.average; })},
      {"regroups_stdev", statistic([](const RegroupStatistics& s) { return s.deviation; })},
      {"regroups_min", statistic([](const RegroupStatistics& s) { return s.min; })},
      {"regroups_max", statistic([](const RegroupStatistics& s) { return s.max; })},
      {"communicators_alive_max",
       if_ok([](const Row& row) { return std::to_string(row.outcome->communicators_alive_max); })},
      {"communicators_left",
       if_ok([](const Row& row) { return std::to_string(row.outcome->communicators_left); })},
      {"setup_s", if_ok([](const Row& row) { return exact(row.outcome->setup_s); })},
      {"wall_s", [](const Row& row) { return exact(row.record.wall_s); }},
      {"memory_mb",
       [](const Row& row) {
         return row.record.memory_mb > 0 ? fmt::format("{:.1f}", row.record.memory_mb) : "";
       }},
      {"status", [](const Row& row) { return std::string(name(row.record.status)); }},
      {"message", [](const Row& row) { return one_line(row.record.message); }},
      {"version", [](const Row&) { return std::string(version); }},
      {"library", if_ok([](const Row& row) { return one_line(row.outcome->library); })},
      {"inputs", [](const Row& row) { return row.run.inputs; }},
      {"variant", [](const Row& row) { return describe_balancer(row.run); }},
  };
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

const std::vector<Column>& run_columns() {
  static const std::vector<Column> columns = make_columns();
  return columns;
}

}  // namespace

std::vector<std::string> run_column_names() {
  std::vector<std::string> names;
  for (const Column& column : run_columns()) names.push_back(column.name);
  return names;
}

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
  for (const Column& column : run_columns()) fields.push_back(column.value(row));
  return fields;
}

}  // namespace regroup
