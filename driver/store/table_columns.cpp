// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "driver/store/settings.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/statistics.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"
#include "library/task.hpp"
#include "regroup/costs.hpp"
#include "regroup/workload.hpp"

namespace regroup {
namespace {

/// "1.25-2.50", with `digits` decimals.
std::string range(const std::vector<double>& numbers, int digits) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return fmt::format("{:.{}f}-{:.{}f}", low, digits, high, digits);
}

std::string median_of(const Line& line, std::string_view column, int digits) {
  const std::vector<double>& all = line.runs.of(column);
  return all.empty() ? "" : fmt::format("{:.{}f}", median(all), digits);
}

template <class Pick>
std::string extreme_of(const Line& line, std::string_view column, Pick pick) {
  const std::vector<double>& all = line.runs.of(column);
  return all.empty() ? "" : fmt::format("{:.0f}", pick(all));
}

std::string papers(const Line& line) {
  const PaperRow* row = paper_row(line.runs.scenario);
  if (row == nullptr) return {};
  return fmt::format("{:.2f} / {:.2f} / {} / {}", row->average, row->deviation, row->min, row->max);
}

std::string makespan(const Line& line) {
  const auto* problem = line.runs.only_problem();
  return problem == nullptr ? "" : fmt::format("{:.4f}", problem->makespan_s());
}

std::string makespans(const Line& line) {
  const auto* problem = line.runs.only_problem();
  return problem == nullptr ? "" : range(problem->makespans_s, 4);
}

/// Where the speed-up is perfect it would be of_ideal once more.
std::string of_bound(const Line& line) {
  const std::vector<double> ratios = line.runs.of_bound();
  const bool perfect = line.runs.scenario.speedup.name == "perfect";
  return perfect || ratios.empty() ? "" : fmt::format("{:.4f}", median(ratios));
}

std::string of_ideal(const Line& line) {
  const std::vector<double> ratios = line.runs.of_ideal();
  return ratios.empty() ? "" : fmt::format("{:.4f}", median(ratios));
}

std::string ideal_range(const Line& line) {
  const std::vector<double> ratios = line.runs.of_ideal();
  return ratios.size() < 2 ? "" : range(ratios, 4);
}

/// How far the virtual engine is off the same problems on real processes: "+1.2 %". Several values
/// where these met several conditions, in the order of their rows; empty where there are none.
std::string off_the_real(const Line& line) {
  std::string text;
  for (const double off : model_errors(line)) {
    text += fmt::format("{}{:+.1f} %", text.empty() ? "" : " / ", 100 * off);
  }
  return text;
}

std::string without_engine(Scenario scenario) {
  scenario.engine = {};
  scenario.costs = {};
  scenario.inputs = {};
  scenario.repetition = 0;
  scenario.seed = 0;
  return fingerprint(scenario);
}

/// A condition; not how nobody waited, as the engine says it.
Heading condition(std::string_view name, std::string_view help, bool left) {
  return {name, help, Kind::parameter, left, [name](const Line& line) {
            const std::string value = line.runs.condition(name);
            return value == "virtual" ? "" : value;
          }};
}

/// "4", and of several with how many ranks: "4 x 8", "4 x 7-8".
std::string nodes(const Line& line) {
  const std::string nodes = line.runs.condition("nodes");
  if (nodes.empty() || nodes == "1") return nodes;
  const std::string least = line.runs.condition("ranks_per_node_min");
  const std::string most = line.runs.condition("ranks_per_node_max");
  return fmt::format("{} x {}", nodes, least == most ? least : least + "-" + most);
}

/// A placement has its ranks: it tells something only where the same ranks were at several.
std::string placement(const Line& line) {
  return line.runs.elsewhere ? line.runs.condition("placement") : "";
}

/// Empty where nothing was counted.
std::string count(std::size_t number) { return number == 0 ? "" : std::to_string(number); }

const Scenario& run(const Line& line) { return line.runs.scenario; }

using enum Kind;

/// Those that stand in columns of other names, or of which a row has several.
constexpr std::array elsewhere{"balancer", "communicator", "repetition", "seed", "timeout_s"};

/// A parameter of runs; of a choice, with its options where they are not the usual ones.
Heading heading_of(const Parameter& parameter) {
  const std::string_view name = parameter.spec.name;
  const bool words = parameter.list != nullptr || !parameter.spec.words.empty() ||
                     parameter.spec.type == OptionSpec::Type::groups;
  return {name == "group_size" ? "G"
          : name == "item_ms"  ? "T_ms"
                               : name,
          parameter.spec.help, Kind::parameter, words, [&parameter](const Line& line) {
            const Scenario& scenario = line.runs.scenario;
            if (parameter.spec.type == OptionSpec::Type::groups) return describe_groups(scenario);
            const std::string text = text_of(parameter, scenario);
            const auto* choice = std::get_if<Choice Scenario::*>(&parameter.member);
            if (choice == nullptr || text.empty()) return text;
            return describe_choice(*find_entry(parameter.list(), text), scenario.**choice);
          }};
}

/// What the runs of a row met, and what came out.
std::vector<Heading> others() {
  return {
      condition("waited", "how they did", true),
      condition("cores", "cores of all nodes together", false),
      Heading{"nodes", "how many, and how many ranks were on each where there are several",
              parameter, true, nodes},
      Heading{"placement", "the place, where the same was run at several: `places/` tells of them",
              parameter, true, placement},
      condition("mpi_library", "the MPI library", true),
      condition("regroup_version", "version and commit of Regroup", true),
      condition("invocation",
                "the invocation of the command, where launcher, environment or machine differ",
                true),
      Heading{"balancer", "the balancer with its options, and the communicator strategy", figure,
              true, [](const Line& l) { return describe_balancer(run(l)); }},
      Heading{"avg", "regroupings of a process: average, median over the runs", figure, false,
              [](const Line& l) { return median_of(l, "regroups_avg", 3); }},
      Heading{"stdev", "standard deviation over the processes, median over the runs", figure, false,
              [](const Line& l) { return median_of(l, "regroups_stdev", 4); }},
      Heading{"min", "fewest, of all runs", figure, false,
              [](const Line& l) { return extreme_of(l, "regroups_min", std::ranges::min); }},
      Heading{"max", "most, of all runs", figure, false,
              [](const Line& l) { return extreme_of(l, "regroups_max", std::ranges::max); }},
      Heading{"paper (avg / stdev / min / max)", "the paper's figures, where they are comparable",
              figure, false, papers},
      Heading{"makespan_s", "median time of the runs, where they had the same problem", optional,
              false, makespan},
      Heading{"range_s", "shortest and longest of these times", optional, false, makespans},
      Heading{"of_ideal", "median of the ratios of each problem to its ideal", figure, false,
              of_ideal},
      Heading{"of_bound",
              "likewise to its bound, below which nobody can come; shown where the speed-up is not "
              "perfect, as the ideal is none then",
              optional, false, of_bound},
      Heading{"of_ideal_range", "smallest and largest of these ratios", optional, false,
              ideal_range},
      Heading{"model", "how far virtual time is off the same problems on real processes", optional,
              false, off_the_real},
      Heading{"seeds", "different seeds in the row", parameter, false,
              [](const Line& l) { return count(l.runs.seeds.size()); }},
      Heading{"problems", "different problems in the row", parameter, false,
              [](const Line& l) { return count(l.runs.problems.size()); }},
      Heading{"ok", "runs that ended well, of all", figure, false,
              [](const Line& l) {
                return fmt::format("{}/{}", l.runs.good, l.runs.good + l.runs.bad);
              }},
  };
}

}  // namespace

RealRuns::RealRuns(const Settings& settings) {
  for (const RepeatedRuns& runs : settings) {
    if (engine_of(runs.scenario).real) all_.emplace(without_engine(runs.scenario), &runs);
  }
}

std::vector<const RepeatedRuns*> RealRuns::like(const Scenario& scenario) const {
  std::vector<const RepeatedRuns*> found;
  if (all_.empty()) return found;
  const auto [first, last] = all_.equal_range(without_engine(scenario));
  for (auto at = first; at != last; ++at) found.push_back(at->second);
  return found;
}

std::vector<double> model_errors(const Line& line) {
  std::vector<double> errors;
  if (!engine_of(line.runs.scenario).exact) return errors;
  for (const RepeatedRuns* other : line.real.like(line.runs.scenario)) {
    if (const auto off = line.runs.off(*other)) errors.push_back(*off);
  }
  return errors;
}

std::span<const Heading> table_columns() {
  static const std::vector<Heading> columns = [] {
    std::vector<Heading> all;
    for (const Parameter& row : parameters()) {
      if (!row.applies("run") || std::ranges::count(elsewhere, row.spec.name) > 0) continue;
      all.push_back(heading_of(row));
    }
    std::ranges::move(others(), std::back_inserter(all));
    return all;
  }();
  return columns;
}

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
