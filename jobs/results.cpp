// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "balancers/balancers.hpp"
#include "communicators/strategies.hpp"
#include "jobs/config.hpp"
#include "jobs/config_node.hpp"
#include "jobs/version.hpp"
#include "kernel/speedup.hpp"
#include "kernel/statistics.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/walker.hpp"
#include "kernel/workload.hpp"

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

std::vector<Column> run_columns() {
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
  add_options(columns, workloads(), &Scenario::workload);
  columns.push_back({"speedup", [](const Row& row) { return row.run.speedup.name; }});
  add_options(columns, speedups(), &Scenario::speedup);
  columns.push_back({"jitter", [](const Row& row) { return fmt::format("{}", row.run.jitter); }});
  columns.push_back({"walker", [](const Row& row) { return row.run.walker; }});
  columns.push_back({"balancer", [](const Row& row) { return row.run.balancer.name; }});
  add_options(columns, balancers(), &Scenario::balancer);
  const auto statistic = [](auto number) {
    return if_ok([number](const Row& row) { return fmt::format("{}", number(row.statistics)); });
  };
  const std::vector<Column> strategy{
      {"communicator", [](const Row& row) { return row.run.communicator; }},
      {"costs", [](const Row& row) { return row.run.costs.name; }},
  };
  columns.insert(columns.end(), strategy.begin(), strategy.end());
  add_options(columns, cost_models(), &Scenario::costs);
  const std::vector<Column> rest{
      {"waiting", [](const Row& row) { return row.run.waiting; }},
      {"waited", if_ok([](const Row& row) { return row.outcome->waiting; })},
      {"repetition", [](const Row& row) { return std::to_string(row.run.repetition); }},
      {"seed", [](const Row& row) { return std::to_string(row.run.seed); }},
      {"makespan_s", if_ok([](const Row& row) { return exact(row.outcome->makespan_s()); })},
      {"ideal_s", [](const Row& row) { return exact(ideal_s(row.run)); }},
      {"efficiency", if_ok([](const Row& row) {
         const double makespan = row.outcome->makespan_s();
         return makespan > 0 ? exact(ideal_s(row.run) / makespan) : std::string();
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
      {"status", [](const Row& row) { return std::string(name(row.record.status)); }},
      {"message", [](const Row& row) { return row.record.message; }},
      {"version", [](const Row&) { return std::string(version); }},
      {"library", if_ok([](const Row& row) { return row.outcome->library; })},
  };
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

std::string header(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  return csv_line(names);
}

constexpr std::string_view regroups_header = "run,regroupings,processes\n";
constexpr std::string_view events_header =
    "run,event,time_s,lo,hi,walker,items_left,busy_until_s,end,end_s,items_left_end,executed_min,"
    "executed_max\n";

std::string events_of(const std::string& id, std::span<const GroupLife> lives) {
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

std::string regroups_of(const std::string& id, const RegroupStatistics& statistics) {
  std::string text;
  for (const auto& [regroupings, processes] : statistics.processes) {
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", id, regroupings, processes);
  }
  return text;
}

template <class Number>
Number number(const CsvTable& table, std::size_t row, std::size_t column) {
  const std::string& text = table.rows[row][column];
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size()) return value;
  throw UserError(fmt::format("{}:{}: '{}' is no number for {}", table.path, row + 2, text,
                              table.columns[column]));
}

/// Keeps the rows of `file` whose run is in `runs`.
void keep_only(const std::string& path, const std::set<std::string>& runs,
               std::string_view header_line) {
  std::string text(header_line);
  if (std::filesystem::exists(path)) {
    const CsvTable table = read_csv(path);
    const std::size_t run = table.column("run");
    for (const auto& row : table.rows) {
      if (runs.contains(row[run])) text += csv_line(row);
    }
  }
  replace_file(path, text);
}

}  // namespace

std::string_view name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::failed:
      return "failed";
    case Status::timeout:
      return "timeout";
    case Status::killed:
      return "killed";
    case Status::unsupported:
      return "unsupported";
  }
  return "";
}

bool Results::exist() const { return std::filesystem::exists(path("runs.csv")); }

void Results::start_anew() const {
  std::filesystem::create_directories(directory_);
  replace_file(path("regroups.csv"), regroups_header);
  replace_file(path("events.csv"), events_header);
  replace_file(path("runs.csv"), header(run_columns()));
}

std::vector<std::string> Results::resume(bool retry) const {
  const CsvTable table = read_csv(path("runs.csv"));
  std::vector<std::string> names;
  for (const Column& column : run_columns()) names.push_back(column.name);
  if (table.columns != names) {
    throw UserError(
        fmt::format("{}:1: written by another version of regroup, whose columns differ; "
                    "--overwrite starts anew, --out names another directory",
                    table.path));
  }
  const std::size_t run = table.column("run");
  const std::size_t status = table.column("status");
  std::set<std::string> there;
  std::string text = csv_line(table.columns);
  for (const auto& row : table.rows) {
    if (retry && row[status] != name(Status::ok)) continue;
    there.insert(row[run]);
    text += csv_line(row);
  }
  replace_file(path("runs.csv"), text);
  keep_only(path("regroups.csv"), there, regroups_header);
  keep_only(path("events.csv"), there, events_header);
  return {there.begin(), there.end()};
}

void Results::add(const RunRecord& record) const {
  Row row{record, record.scenario, record.outcome ? &*record.outcome : nullptr, {}};
  const std::string id = fingerprint(record.scenario);
  if (row.outcome != nullptr) {
    row.statistics = regroup_statistics(row.outcome->lives, row.run.ranks);
    append_whole(path("events.csv"), events_of(id, row.outcome->lives));
    append_whole(path("regroups.csv"), regroups_of(id, row.statistics));
  }
  std::vector<std::string> fields;
  for (const Column& column : run_columns()) fields.push_back(column.value(row));
  append_whole(path("runs.csv"), csv_line(fields));
}

namespace {

[[noreturn]] void fail_in_row(const CsvTable& table, std::size_t row, const std::string& what) {
  throw UserError(fmt::format("{}:{}: {}", table.path, row + 2, what));
}

/// Checks the values of one row of runs.csv that are no choices with options.
void check_row(const CsvTable& table, std::size_t row) {
  const auto text = [&](std::string_view column) { return table.rows[row][table.column(column)]; };
  const auto check_name = [&](std::string_view column, const auto& list) {
    if (find_entry(list, text(column)) != nullptr) return;
    fail_in_row(table, row, fmt::format("unknown {} '{}'", column, text(column)));
  };
  for (const OptionSpec& spec : parameters()) {
    if (spec.name == "timeout_s") continue;  // no property of the result, so no column
    if (const std::string wrong = complaint(spec, text(spec.name)); !wrong.empty()) {
      fail_in_row(table, row, wrong);
    }
  }
  check_name("engine", engines());
  check_name("walker", walkers());
  if (!text("communicator").empty()) check_name("communicator", strategies);
  const std::string status = text("status");
  if (std::ranges::none_of(statuses, [&](Status known) { return name(known) == status; })) {
    fail_in_row(table, row, fmt::format("unknown status '{}'", status));
  }
  if (status != name(Status::ok)) return;
  for (const char* column : {"makespan_s", "ideal_s", "regroups_avg", "regroups_stdev",
                             "regroups_min", "regroups_max"}) {
    number<double>(table, row, table.column(column));
  }
}

}  // namespace

StoredResults read_runs(const std::string& directory) {
  StoredResults results;
  results.runs = read_csv(directory + "/runs.csv");
  const CsvTable& table = results.runs;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto text = [&](std::string_view column) { return table.rows[i][table.column(column)]; };
    const auto whole = [&](std::string_view column) {
      return number<std::int64_t>(table, i, table.column(column));
    };
    check_row(table, i);
    StoredRun run;
    run.id = text("run");
    run.status = text("status");
    run.fields = table.rows[i];
    Scenario& scenario = run.scenario;
    scenario.experiment = text("experiment");
    scenario.engine = text("engine");
    scenario.ranks = static_cast<int>(whole("ranks"));
    scenario.group_size = static_cast<int>(whole("group_size"));
    scenario.item_ms = number<double>(table, i, table.column("item_ms"));
    scenario.walker = text("walker");
    scenario.communicator = text("communicator");
    scenario.waiting = text("waiting");
    scenario.repetition = static_cast<int>(whole("repetition"));
    scenario.seed = static_cast<std::uint64_t>(whole("seed"));
    const auto choice = [&](std::string_view column, const auto& list) {
      Choice chosen{text(column), {}};
      const auto* entry = find_entry(list, chosen.name);
      if (entry == nullptr)
        fail_in_row(table, i, fmt::format("unknown {} '{}'", column, chosen.name));
      for (const OptionSpec& spec : entry->options) {
        if (const std::string wrong = complaint(spec, text(spec.name)); !wrong.empty()) {
          fail_in_row(table, i, wrong);
        }
        chosen.options.set(std::string(spec.name), text(spec.name));
      }
      return chosen;
    };
    scenario.workload = choice("workload", workloads());
    scenario.speedup = choice("speedup", speedups());
    scenario.costs = choice("costs", cost_models());
    scenario.jitter = number<double>(table, i, table.column("jitter"));
    scenario.balancer = choice("balancer", balancers());
    results.list.push_back(std::move(run));
  }
  return results;
}

std::map<std::string, std::vector<GroupLife>> read_events(const std::string& directory) {
  const CsvTable table = read_csv(directory + "/events.csv");
  const std::size_t run = table.column("run");
  const std::size_t event = table.column("event");
  const std::size_t end = table.column("end");
  const auto columns = [&](auto... names) { return std::array{table.column(names)...}; };
  const auto whole =
      columns("lo", "hi", "walker", "items_left", "items_left_end", "executed_min", "executed_max");
  const auto times = columns("time_s", "busy_until_s", "end_s");
  std::map<std::string, std::vector<GroupLife>> lives;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto integer = [&](std::size_t k) { return number<std::int64_t>(table, i, whole[k]); };
    GroupLife life;
    life.ranks = {static_cast<int>(integer(0)), static_cast<int>(integer(1))};
    life.walker = static_cast<int>(integer(2));
    life.items_before = integer(3);
    life.items_after = integer(4);
    life.executed_min = integer(5);
    life.executed_max = integer(6);
    life.formed_s = number<double>(table, i, times[0]);
    life.busy_until_s = number<double>(table, i, times[1]);
    life.ended_s = number<double>(table, i, times[2]);
    const auto word = [&](std::size_t column, std::string_view yes, std::string_view no) {
      const std::string& text = table.rows[i][column];
      if (text == yes || text == no) return text == yes;
      fail_in_row(
          table, i,
          fmt::format("unknown {} '{}'; allowed: {} | {}", table.columns[column], text, no, yes));
    };
    life.regrouped = word(event, "regroup", "start");
    life.stopped = word(end, "stop", "merge");
    lives[table.rows[i][run]].push_back(life);
  }
  return lives;
}

}  // namespace regroup
