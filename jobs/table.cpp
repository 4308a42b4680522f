// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "jobs/commands.hpp"
#include "jobs/config_node.hpp"
#include "jobs/describe.hpp"
#include "jobs/paper.hpp"
#include "jobs/stored_results.hpp"
#include "jobs/summaries.hpp"
#include "jobs/text_table.hpp"
#include "kernel/csv.hpp"
#include "kernel/statistics.hpp"

namespace regroup {
namespace {

/// The repetitions of one set of parameters.
struct Repetitions {
  Scenario scenario;
  std::map<std::string, std::vector<double>> numbers;  ///< by column, of the runs that ended well
  std::size_t bad = 0;                                 ///< runs that did not

  double makespan_s() const { return median(numbers.at("makespan_s")); }
};

constexpr std::array number_columns{"regroups_avg", "regroups_stdev", "regroups_min",
                                    "regroups_max", "makespan_s",     "ideal_s"};

std::vector<Repetitions> grouped(const StoredResults& results) {
  std::vector<Repetitions> groups;
  std::map<std::string, std::size_t> place;
  for (const StoredRun& run : results.list) {
    Scenario same = run.scenario;
    same.repetition = 0;
    same.seed = 0;
    const auto [at, is_new] = place.try_emplace(fingerprint(same), groups.size());
    if (is_new) groups.push_back({run.scenario, {}, 0});
    Repetitions& group = groups[at->second];
    if (run.status != "ok") {
      ++group.bad;
      continue;
    }
    for (const char* column : number_columns) {
      group.numbers[column].push_back(std::stod(run.fields[results.runs.column(column)]));
    }
  }
  return groups;
}

/// How far the virtual engine is off the same runs on real processes: "+1.2 %"; empty where one of
/// the two is not there.
std::string off_the_real(const Repetitions& model, const std::vector<Repetitions>& groups) {
  if (model.scenario.engine != "virtual" || model.numbers.empty()) return {};
  const auto without_engine = [](Scenario scenario) {
    scenario.engine = {};
    scenario.costs = {};
    scenario.inputs = {};
    scenario.repetition = 0;
    scenario.seed = 0;
    return fingerprint(scenario);
  };
  const auto real = std::ranges::find_if(groups, [&](const Repetitions& other) {
    return other.scenario.engine == "mpi" && !other.numbers.empty() &&
           without_engine(other.scenario) == without_engine(model.scenario);
  });
  if (real == groups.end() || real->makespan_s() <= 0) return {};
  return fmt::format("{:+.1f} %", 100 * (model.makespan_s() / real->makespan_s() - 1));
}

Cells cells(const Repetitions& group, const std::vector<Repetitions>& groups) {
  const Scenario& run = group.scenario;
  Cells row{run.engine,
            std::to_string(run.ranks),
            std::to_string(run.group_size),
            fmt::format("{:g}", run.item_ms),
            run.workload.name,
            run.speedup.name,
            fmt::format("{:g}", run.jitter),
            run.costs.name,
            run.waiting,
            describe_balancer(run)};
  if (group.numbers.empty()) {
    row.resize(row.size() + 4);
  } else {
    const auto of = [&](const char* column) { return group.numbers.at(column); };
    row.push_back(fmt::format("{:.3f}", median(of("regroups_avg"))));
    row.push_back(fmt::format("{:.4f}", median(of("regroups_stdev"))));
    row.push_back(fmt::format("{:.0f}", std::ranges::min(of("regroups_min"))));
    row.push_back(fmt::format("{:.0f}", std::ranges::max(of("regroups_max"))));
  }
  const PaperRow* paper = paper_row(run);
  row.push_back(paper == nullptr ? ""
                                 : fmt::format("{:.2f} / {:.2f} / {} / {}", paper->average,
                                               paper->deviation, paper->min, paper->max));
  if (group.numbers.empty()) {
    row.resize(row.size() + 3);
  } else {
    const std::vector<double>& times = group.numbers.at("makespan_s");
    const double ideal = group.numbers.at("ideal_s").front();
    row.push_back(fmt::format("{:.4f}", median(times)));
    row.push_back(fmt::format("{:.4f}-{:.4f}", std::ranges::min(times), std::ranges::max(times)));
    row.push_back(ideal > 0 ? fmt::format("{:.4f}", median(times) / ideal) : "");
  }
  row.push_back(off_the_real(group, groups));
  const std::size_t good = group.numbers.empty() ? 0 : group.numbers.begin()->second.size();
  row.push_back(fmt::format("{}/{}", good, good + group.bad));
  return row;
}

const Cells headings{
    "engine",     "ranks",   "G",        "T_ms",    "workload",
    "speedup",    "jitter",  "costs",    "waiting", "balancer",
    "avg",        "stdev",   "min",      "max",     "paper (avg / stdev / min / max)",
    "makespan_s", "range_s", "of_ideal", "model",   "ok"};

/// The first so many columns are parameters that often are the same in every row.
constexpr std::size_t parameter_columns = 9;

/// Columns that say the same in every row say it once, above the table.
std::vector<std::size_t> varying(const std::vector<Cells>& rows) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < headings.size(); ++c) {
    const bool same = std::ranges::all_of(rows, [&](const Cells& r) { return r[c] == rows[0][c]; });
    const bool says_nothing = same && (c < parameter_columns || headings[c] == "model");
    if (!says_nothing) columns.push_back(c);
  }
  return columns;
}

Cells picked(const Cells& row, const std::vector<std::size_t>& columns) {
  Cells cells;
  for (const std::size_t c : columns) cells.push_back(row[c]);
  return cells;
}

void print_text(const std::vector<Cells>& rows, const std::vector<std::size_t>& columns,
                bool markdown) {
  constexpr std::array texts{"engine", "workload", "speedup", "costs", "waiting", "balancer"};
  std::vector<Cells> table{picked(headings, columns)};
  for (const Cells& row : rows) table.push_back(picked(row, columns));
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (std::ranges::find(texts, table.front()[c]) != texts.end()) left.push_back(c);
  }
  fmt::print("{}", text_table(table, left, markdown));
}

std::string escaped(std::string text) {
  for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

void print_latex(const std::vector<Cells>& rows, const std::vector<std::size_t>& columns) {
  fmt::print("\\begin{{tabular}}{{{}}}\n\\hline\n", std::string(columns.size(), 'r'));
  const auto print_row = [&](const Cells& row) {
    std::string line;
    for (const std::size_t c : columns) line += (line.empty() ? "" : " & ") + escaped(row[c]);
    fmt::print("{} \\\\\n", line);
  };
  print_row(headings);
  fmt::print("\\hline\n");
  for (const Cells& row : rows) print_row(row);
  fmt::print("\\hline\n\\end{{tabular}}\n");
}

}  // namespace

static int print_run_table(const std::string& directory, const std::string& format) {
  const StoredResults results = read_runs(directory);
  std::vector<Cells> rows;
  const std::vector<Repetitions> groups = grouped(results);
  for (const Repetitions& group : groups) rows.push_back(cells(group, groups));
  if (rows.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));

  if (format == "csv") {
    fmt::print("{}", csv_line(headings));
    for (const Cells& row : rows) fmt::print("{}", csv_line(row));
    return 0;
  }
  const std::vector<std::size_t> columns = varying(rows);
  if (format == "latex") {
    print_latex(rows, columns);
    return 0;
  }
  std::string same;
  for (std::size_t c = 0; c < parameter_columns; ++c) {
    if (std::ranges::find(columns, c) != columns.end() || rows[0][c].empty()) continue;
    same += fmt::format("{}{} {}", same.empty() ? "" : ", ", headings[c], rows[0][c]);
  }
  fmt::print(
      "Regroupings per process (avg, stdev, min, max; medians over repetitions) beside the "
      "paper's\nat 8,192 ranks, and execution times. {}\n\n",
      same);
  print_text(rows, columns, format == "markdown");
  const auto model =
      static_cast<std::size_t>(std::ranges::find(headings, "model") - headings.begin());
  if (std::ranges::find(columns, model) != columns.end()) {
    fmt::print("\nmodel: how far virtual time is off the same runs on real processes\n");
  }
  return 0;
}

int print_table(const std::string& directory, const std::string& format) {
  bool measured = false;
  for (const MeasurementKind& kind : measurement_kinds()) {
    if (!std::filesystem::exists(file_of(kind, directory))) continue;
    if (format != "text") {
      throw UserError(fmt::format("{}: the summary of measurements is text; the file itself is CSV",
                                  file_of(kind, directory)));
    }
    print_summary(kind, directory);
    measured = true;
  }
  if (measured && !std::filesystem::exists(directory + "/runs.csv")) return 0;
  return print_run_table(directory, format);
}

}  // namespace regroup
