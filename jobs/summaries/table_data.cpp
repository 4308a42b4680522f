// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/summaries/table_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "jobs/catalog/resolve.hpp"
#include "jobs/summaries/paper.hpp"
#include "jobs/words/describe.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/csv_reader.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/spread.hpp"

namespace regroup {
namespace {

using Numbers = std::vector<double>;
using Columns = std::vector<DataColumn>;

double middle(const Numbers& numbers) { return median(numbers); }
double least(const Numbers& numbers) { return std::ranges::min(numbers); }
double most(const Numbers& numbers) { return std::ranges::max(numbers); }

/// `of` the numbers that `find` answers, where there are any.
DataColumn figure_column(ResultColumn column, double (*of)(const Numbers&),
                         std::function<Numbers(const Line&)> find) {
  column.content.may_be_empty = true;
  return {std::move(column), [of, find = std::move(find)](const Line& line) {
            const Numbers numbers = find(line);
            return numbers.empty() ? std::string() : fmt::format("{}", of(numbers));
          }};
}

DataColumn regroups_column(std::string name, const Content& content, std::string help,
                           double (*of)(const Numbers&)) {
  return figure_column({name, content, std::move(help)}, of,
                       [name](const Line& line) { return line.runs.of(name); });
}

DataColumn papers_column(std::string name, const Content& content, std::string help,
                         double (*of)(const PaperRow&)) {
  return {{std::move(name), content::maybe(content), std::move(help)}, [of](const Line& line) {
            const PaperRow* row = paper_row(line.runs.scenario);
            return row == nullptr ? std::string() : fmt::format("{}", of(*row));
          }};
}

DataColumn count_column(std::string name, std::string help,
                        std::size_t (*of)(const RepeatedRuns&)) {
  return {{std::move(name), content::integer, std::move(help)},
          [of](const Line& line) { return std::to_string(of(line.runs)); }};
}

DataColumn condition_column(std::string name, const Content& content, std::string help) {
  return {{name, content::maybe(content), std::move(help)},
          [name](const Line& line) { return line.runs.condition(name); }};
}

/// Times of different problems are not put together.
Numbers seconds_of(const Line& line) {
  const auto* problem = line.runs.only_problem();
  return problem == nullptr ? Numbers() : problem->makespans_s;
}
Numbers ratios_to_ideal(const Line& line) { return line.runs.of_ideal(); }
Numbers ratios_to_bound(const Line& line) { return line.runs.of_bound(); }

void add_parameters(Columns& columns) {
  constexpr std::array several{"repetition", "seed"};  // in a row
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies("run") || !parameter.is_column()) continue;
    if (std::ranges::count(several, parameter.spec.name) > 0) continue;
    for (ParameterColumn& column : columns_of(parameter)) {
      columns.push_back({std::move(column), [value = column.value](const Line& line) {
                           return value(line.runs.scenario);
                         }});
    }
  }
}

void add_conditions(Columns& columns) {
  for (const ResultColumn& column : columns_of("run")) {
    if (std::ranges::count(condition_columns, column.name) == 0) continue;
    columns.push_back(condition_column(column.name, column.content, column.help));
  }
  columns.push_back(condition_column(
      "invocation", content::text,
      "what is unlike other invocations of the command: of launcher, environment and machine"));
}

void add_figures(Columns& columns) {
  const Columns figures{
      {{"variant", content::text, "the balancer with its options, and the communicator strategy"},
       [](const Line& line) { return describe_balancer(line.runs.scenario); }},
      regroups_column("regroups_avg", content::number,
                      "regroupings of a process: average, median over the runs", middle),
      regroups_column("regroups_stdev", content::number,
                      "standard deviation over the processes, median over the runs", middle),
      regroups_column("regroups_min", content::integer, "fewest, of all runs", least),
      regroups_column("regroups_max", content::integer, "most, of all runs", most),
      papers_column("paper_regroups_avg", content::number,
                    "the paper's average, where it is comparable",
                    [](const PaperRow& row) { return row.average; }),
      papers_column("paper_regroups_stdev", content::number, "the paper's standard deviation",
                    [](const PaperRow& row) { return row.deviation; }),
      papers_column("paper_regroups_min", content::integer, "the paper's fewest",
                    [](const PaperRow& row) { return 1.0 * row.min; }),
      papers_column("paper_regroups_max", content::integer, "the paper's most",
                    [](const PaperRow& row) { return 1.0 * row.max; }),
      figure_column({"makespan_s", content::number,
                     "median time of the runs, where they had the same problem"},
                    middle, seconds_of),
      figure_column({"makespan_min_s", content::number, "shortest of these times"}, least,
                    seconds_of),
      figure_column({"makespan_max_s", content::number, "longest of these times"}, most,
                    seconds_of),
      figure_column(
          {"of_ideal", content::number, "median of the ratios of each problem to its ideal"},
          middle, ratios_to_ideal),
      figure_column({"of_ideal_min", content::number, "smallest of these ratios"}, least,
                    ratios_to_ideal),
      figure_column({"of_ideal_max", content::number, "largest of these ratios"}, most,
                    ratios_to_ideal),
      figure_column(
          {"of_bound", content::number,
           "median of the ratios of each problem to its bound, below which nobody can come"},
          middle, ratios_to_bound),
      figure_column(
          {"model_error_min", content::number,
           "how far virtual time is off the same problems on real processes, over the time of "
           "these: smallest, as these may have run under several conditions"},
          least, model_errors),
      figure_column({"model_error_max", content::number, "… largest"}, most, model_errors),
      count_column("seeds", "different seeds in the row",
                   [](const RepeatedRuns& runs) { return runs.seeds.size(); }),
      count_column("problems", "different problems in the row",
                   [](const RepeatedRuns& runs) { return runs.problems.size(); }),
      count_column("runs_ok", "runs that ended well",
                   [](const RepeatedRuns& runs) { return runs.good; }),
      count_column("runs", "all runs",
                   [](const RepeatedRuns& runs) { return runs.good + runs.bad; })};
  columns.insert(columns.end(), figures.begin(), figures.end());
}

using Json = nlohmann::ordered_json;

/// null where it is empty, or is no number though it should be one.
Json json_of(const Content& content, const std::string& cell) {
  if (cell.empty()) return nullptr;
  const bool is_number =
      content.type == Content::Type::integer || content.type == Content::Type::number;
  if (!is_number) return cell;
  const Json number = Json::parse(cell, nullptr, false);
  return number.is_number() ? number : Json(nullptr);
}

}  // namespace

std::span<const DataColumn> data_columns() {
  static const Columns columns = [] {
    Columns all;
    add_parameters(all);
    add_conditions(all);
    add_figures(all);
    return all;
  }();
  return columns;
}

void print_table_as_csv(const Settings& settings) {
  std::vector<std::string> fields;
  for (const DataColumn& column : data_columns()) fields.push_back(column.name);
  fmt::print("{}", csv_line(fields));
  const RealRuns real(settings);
  for (const RepeatedRuns& runs : settings) {
    fields.clear();
    for (const DataColumn& column : data_columns()) fields.push_back(column.value({runs, real}));
    fmt::print("{}", csv_line(fields));
  }
}

/// Row by row: there may be a million.
void print_table_as_json(const Settings& settings) {
  fmt::print("{{\"schema\": {}, \"rows\": [", schema);
  const RealRuns real(settings);
  for (const RepeatedRuns& runs : settings) {
    Json row;
    for (const DataColumn& column : data_columns()) {
      row[column.name] = json_of(column.content, column.value({runs, real}));
    }
    fmt::print("{}\n{}", &runs == &settings.front() ? "" : ",", row.dump());
  }
  fmt::print("\n]}}\n");
}

void print_rows_as_csv(const MeasurementKind& kind, const std::string& directory) {
  CsvReader reader(fmt::format("{}/{}", directory, file_of(kind.name)));
  fmt::print("{}", csv_line(reader.columns()));
  while (reader.next()) fmt::print("{}", csv_line(reader.row().fields));
}

void print_rows_as_json(const MeasurementKind& kind, const std::string& directory) {
  const std::vector<ResultColumn> known = columns_of(kind.name);
  CsvReader reader(fmt::format("{}/{}", directory, file_of(kind.name)));
  fmt::print("{{\"schema\": {}, \"rows\": [", schema);
  for (const char* comma = ""; reader.next(); comma = ",") {
    const CsvRow cells = reader.row();
    Json row;
    for (std::size_t i = 0; i < cells.columns.size(); ++i) {
      const auto column = std::ranges::find(known, cells.columns[i], &ResultColumn::name);
      // Behind those of the kind stand numbers: of its invocation, and of rows elsewhere.
      const Content& content = column == known.end() ? content::integer : column->content;
      row[cells.columns[i]] = json_of(content, cells.fields[i]);
    }
    fmt::print("{}\n{}", comma, row.dump());
  }
  fmt::print("\n]}}\n");
}

}  // namespace regroup
