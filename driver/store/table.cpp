// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "driver/config/experiment.hpp"
#include "driver/store/overview.hpp"
#include "driver/store/provenance.hpp"
#include "driver/store/settings.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/parse.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "kernel/text/units.hpp"
#include "library/describe.hpp"
#include "library/resolve.hpp"

namespace regroup {
namespace {

// ---- rows for programs

std::string json_of(const ColumnHelp& column, const std::string& cell) {
  const bool number = column.type == "number" || column.type == "integer";
  if (cell.empty() || (number && !std::isfinite(parse<double>(cell).value_or(NAN)))) return "null";
  return number ? cell : in_json(cell);
}

}  // namespace

void print_for_programs(
    bool json, const std::vector<ColumnHelp>& columns,
    const std::function<void(const std::function<void(const Cells&)>& print)>& each_row) {
  if (!json) {
    fmt::print("{}", csv_line(names_of(columns)));
    return each_row([](const Cells& cells) { fmt::print("{}", csv_line(cells)); });
  }
  fmt::print("{{\"schema\": {}, \"rows\": [", schema);
  const char* comma = "";
  each_row([&](const Cells& cells) {
    std::vector<std::string> members;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      members.push_back(fmt::format("\"{}\":{}", columns[i].name, json_of(columns[i], cells[i])));
    }
    fmt::print("{}\n{{{}}}", std::exchange(comma, ","), fmt::join(members, ","));
  });
  fmt::print("\n]}}\n");
}

namespace {

// ---- columns of runs

class RunTable;

struct TableRow {
  const RunSetting& setting;
  const RunTable& table;
};

using CellOf = std::string (*)(const TableRow& row);

/// When the table for people shows a column.
enum class Shown {
  never,  ///< for programs only
  always,
  if_several,  ///< if rows differ; otherwise its value is printed above the table
  if_any,      ///< if a row has a value
};

struct TableColumn {
  std::string_view name;
  std::string_view type;  ///< texts are left-aligned
  std::string_view help;
  /// For programs: one value without unit, or an empty text. nullptr for columns for people only.
  CellOf cell = nullptr;
  Shown shown = Shown::never;
  int decimals = -1;                     ///< for people, see rounded(); -1: not rounded
  std::string_view heading = {};         ///< for people, if not `name`
  CellOf text = nullptr;                 ///< for people, if not as in `cell`
  std::string_view usual = {};           ///< not printed if all rows have it
  const Parameter* parameter = nullptr;  ///< whose value is shown instead of `cell`

  bool is_for_programs() const { return cell != nullptr || parameter != nullptr; }
  std::string cell_of(const TableRow& row) const {
    if (parameter == nullptr) return cell(row);
    return parameter->is_belief(row.setting.task) ? "" : parameter->text(row.setting.task);
  }
  std::string text_of(const TableRow& row) const;
};

std::string exact(double number) { return fmt::format("{}", number); }

std::string TableColumn::text_of(const TableRow& row) const {
  if (text != nullptr) return text(row);
  if (parameter != nullptr && parameter->is_belief(row.setting.task)) return {};
  if (parameter != nullptr && parameter->brief != nullptr)
    return parameter->brief(row.setting.task);
  const std::string value = cell_of(row);
  return value.empty() || decimals < 0 ? value : rounded(std::stod(value), decimals);
}

/// The table of settings in a directory of results. Rows are computed on demand, because there may
/// be a million.
class RunTable {
 public:
  /// `settings` must outlive the table.
  explicit RunTable(const RunSettings& settings);

  void print_text(bool markdown) const;
  void print_latex() const;
  void print_for_programs(bool json) const;

  /// Describes how a row differs from others, except in ranks and variant: "T = 100 ms, 2 cores".
  /// Rows with equal texts belong into one picture.
  std::string panel(const RunSetting& setting) const;
  /// Returns the balancer with its options and, if rows differ in it, the communicator strategy.
  std::string label(const RunSetting& setting) const;
  /// Returns the relative errors of virtual time compared with real runs of the same problems: one
  /// for each setting of the real runs, in the order of their rows.
  std::vector<double> model_errors(const RunSetting& setting) const;

 private:
  struct Values {
    std::string first;  // text that is not empty
    bool several = false;
  };

  std::string text_of(std::size_t column, const RunSetting& setting) const {
    return columns_[column].text_of({setting, *this});
  }
  void find_values();
  void find_panels();
  std::string in_common() const;
  void print_notes() const;
  template <class Print>
  void each_row(Print print) const;

  const RunSettings& settings_;
  std::vector<TableColumn> columns_;
  std::vector<Values> values_;
  std::vector<std::size_t> shown_;  // in the table for people
  std::vector<std::size_t> panel_columns_;
  bool several_strategies_ = false;
  std::multimap<std::string, const RunSetting*> real_;  // by without_engine()
};

using Numbers = std::vector<double>;

double middle(const Numbers& numbers) { return median(numbers); }
double least(const Numbers& numbers) { return std::ranges::min(numbers); }
double most(const Numbers& numbers) { return std::ranges::max(numbers); }

/// Formats a range: "1.2500-2.5000".
std::string range_of(const Numbers& numbers) {
  return rounded(least(numbers), 4) + "-" + rounded(most(numbers), 4);
}

std::string listed(Numbers numbers) {
  std::ranges::sort(numbers);
  return fmt::format("{}", fmt::join(numbers, " "));
}

/// Applies `Pick` to the numbers that `Find`, a function or a member, returns for the setting.
template <auto Pick, auto Find>
std::string figure(const TableRow& row) {
  const Numbers numbers = std::invoke(Find, row.setting);
  return numbers.empty() ? "" : exact(Pick(numbers));
}

template <auto Member>
std::string condition(const TableRow& row) {
  if (row.setting.conditions == nullptr) return {};
  const auto& value = (*row.setting.conditions).*Member;
  using Value = std::remove_cvref_t<decltype(value)>;
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "yes" : "no";
  } else {
    return value == Value() ? "" : fmt::format("{}", value);
  }
}

template <auto Member>
std::string paper_figure(const TableRow& row) {
  const PaperRow* paper = paper_row(row.setting.task);
  return paper == nullptr ? "" : fmt::format("{}", paper->*Member);
}

/// Formats a number, or the size of a container.
template <auto Member>
std::string count(const TableRow& row) {
  if constexpr (requires { (row.setting.*Member).size(); }) {
    return std::to_string((row.setting.*Member).size());
  } else {
    return std::to_string(row.setting.*Member);
  }
}

template <auto Member>
std::string count_if_any(const TableRow& row) {
  const std::string number = count<Member>(row);
  return number == "0" ? "" : number;
}

/// Returns the makespans of the only problem; none for several problems, which are not combined.
Numbers makespans_s(const RunSetting& setting) {
  const auto* problem = setting.only_problem();
  return problem == nullptr ? Numbers() : problem->makespans_s;
}

template <auto Member>
std::string of_problem(const TableRow& row) {
  const auto* problem = row.setting.only_problem();
  if (problem == nullptr) return "";
  const double median_s = middle(problem->*Member);
  return median_s == 0 && row.setting.task.has_own_times() ? "" : exact(median_s);
}

Numbers ratios_to_ideal(const RunSetting& setting) {
  return setting.ratios(&RunSetting::Problem::ideals_s);
}
Numbers ratios_to_bound(const RunSetting& setting) {
  return setting.ratios(&RunSetting::Problem::bounds_s);
}

bool is_least_the_ideal(const RunSetting& setting) {
  return setting.least_s() == &RunSetting::Problem::ideals_s;
}

template <auto Pick>
std::string model_error(const TableRow& row) {
  const Numbers errors = row.table.model_errors(row.setting);
  return errors.empty() ? "" : exact(Pick(errors));
}

// Texts for people.

std::string waited_text(const TableRow& row) {
  const std::string how = condition<&Conditions::waited>(row);
  return how == "virtual" ? "" : how;  // the column of the engine shows it
}

std::string placement_text(const TableRow& row) {
  return row.setting.elsewhere ? condition<&Conditions::placement>(row) : "";
}

std::string paper_text(const TableRow& row) {
  const PaperRow* paper = paper_row(row.setting.task);
  if (paper == nullptr) return {};
  return fmt::format("{:.2f} / {:.2f} / {} / {}", paper->average, paper->deviation, paper->min,
                     paper->max);
}

std::string makespan_range(const TableRow& row) {
  const Numbers all = makespans_s(row.setting);
  return all.empty() ? "" : range_of(all);
}

std::string median_within(const TableRow& row) {
  const Numbers all = makespans_s(row.setting);
  const auto within = all.empty() ? std::nullopt : dispersion_of(all).within();
  return within ? exact(*within) : "";
}

std::string median_within_text(const TableRow& row) {
  const std::string within = median_within(row);
  return within.empty() ? "" : fmt::format("± {} %", rounded(100 * std::stod(within), 1));
}

std::string ideal_range(const TableRow& row) {
  const Numbers all = ratios_to_ideal(row.setting);
  return all.size() < 2 ? "" : range_of(all);
}

/// Returns an empty text for perfect speed-up, where of_bound would equal of_ideal.
std::string bound_text(const TableRow& row) {
  const Numbers all = ratios_to_bound(row.setting);
  const bool once_more = has_perfect_speedup(row.setting.task) && !row.setting.task.has_own_times();
  return once_more || all.empty() ? "" : rounded(middle(all), 4);
}

std::string model_text(const TableRow& row) {
  std::string text;
  for (const double error : row.table.model_errors(row.setting)) {
    text += fmt::format("{}{:+.1f} %", text.empty() ? "" : " / ", 100 * error);
  }
  return text;
}

std::string ok_text(const TableRow& row) {
  return fmt::format("{}/{}", row.setting.ok, row.setting.runs);
}

using enum Shown;
constexpr TableColumn columns_of_runs[] = {
    {"waited", "text", "how processes waited", condition<&Conditions::waited>, if_several, -1, "",
     waited_text},
    {"cores", "integer", "total number of cores of all nodes", condition<&Conditions::cores>,
     if_several},
    {"oversubscribed", "yes | no", "whether ranks outnumber cores on some node",
     condition<&Conditions::oversubscribed>},
    {"placement", "text", "hash of the placement of the ranks, as in places/HASH.yaml",
     condition<&Conditions::placement>, if_several, -1, "", placement_text},
    {"circumstances", "text",
     "version, MPI library, launcher, environment and machine, if they differ between runs",
     condition<&Conditions::circumstances>, if_several},
    {"clock", "wall | virtual | simgrid", "clock of all times",
     [](const TableRow& row) { return std::string(row.setting.task.run().engine->clock); }},
    {"panel", "text",
     "all parameters in which rows differ, except ranks and variant. Rows of one picture have the "
     "same text.",
     [](const TableRow& row) { return row.table.panel(row.setting); }},
    {"balancer", "text", "balancer",
     [](const TableRow& row) { return std::string(row.setting.task.run().balancer->name); }},
    {"communicator", "text", "communicator strategy. Empty if there is none.",
     [](const TableRow& row) {
       const Strategy* strategy = row.setting.task.strategy();
       return strategy == nullptr ? "" : std::string(strategy->name);
     }},
    {"label", "text", "variant, without the strategy if it is the same in all rows",
     [](const TableRow& row) { return row.table.label(row.setting); }},
    {"variant", "text", "balancer with its options, and strategy",
     [](const TableRow& row) { return describe_balancer(row.setting.task); }, always, -1,
     "balancer"},
    {"regroups_avg", "number", "average number of regroupings of a process: median of the runs",
     figure<middle, &RunSetting::regroups_avg>, always, 3, "avg"},
    {"regroups_stdev", "number", "… standard deviation over the processes: median of the runs",
     figure<middle, &RunSetting::regroups_stdev>, always, 4, "stdev"},
    {"regroups_min", "number", "… minimum over processes and runs",
     figure<least, &RunSetting::regroups_min>, always, 0, "min"},
    {"regroups_max", "number", "… maximum over processes and runs",
     figure<most, &RunSetting::regroups_max>, always, 0, "max"},
    {"paper_avg", "number",
     "average number of regroupings that Dinan et al. (EuroMPI 2011) report, if comparable",
     paper_figure<&PaperRow::average>},
    {"paper_stdev", "number", "… their standard deviation", paper_figure<&PaperRow::deviation>},
    {"paper_min", "number", "… their minimum", paper_figure<&PaperRow::min>},
    {"paper_max", "number", "… their maximum", paper_figure<&PaperRow::max>},
    {"paper (avg / stdev / min / max)", "", "", nullptr, if_any, -1, "", paper_text},
    {"makespan_s", "number", "median makespan of the runs, if all have the same problem",
     figure<middle, makespans_s>, if_any, 4},
    {"makespan_min_s", "number", "… minimum", figure<least, makespans_s>},
    {"makespan_max_s", "number", "… maximum", figure<most, makespans_s>},
    {"makespans_s", "numbers", "… all makespans, in ascending order",
     [](const TableRow& row) { return listed(makespans_s(row.setting)); }},
    {"makespan_within", "number",
     "half the width of the 95 % interval of the median makespan, relative to the median. Empty "
     "for fewer than six runs.",
     median_within, if_any, -1, "known to", median_within_text},
    {"range_s", "", "", nullptr, if_any, -1, "", makespan_range},
    {"ideal_s", "number", "time with perfect balance and perfect speed-up",
     of_problem<&RunSetting::Problem::ideals_s>},
    {"bound_s", "number", "lower bound of the makespan of all schedules",
     of_problem<&RunSetting::Problem::bounds_s>},
    {"least", "ideal | bound",
     "lower limit that makespans are compared with: bound if the speed-up is not perfect, "
     "otherwise ideal",
     [](const TableRow& row) {
       return std::string(is_least_the_ideal(row.setting) ? "ideal" : "bound");
     }},
    {"of_least", "numbers",
     "makespan divided by that lower limit, for each problem, in ascending order",
     [](const TableRow& row) { return listed(row.setting.ratios(row.setting.least_s())); }},
    {"of_ideal", "number", "makespan divided by ideal: median over the problems",
     figure<middle, ratios_to_ideal>, always, 4},
    {"of_ideal_min", "number", "… minimum", figure<least, ratios_to_ideal>},
    {"of_ideal_max", "number", "… maximum", figure<most, ratios_to_ideal>},
    {"of_ideal_range", "", "", nullptr, if_any, -1, "", ideal_range},
    {"of_bound", "number", "makespan divided by bound: median over the problems",
     figure<middle, ratios_to_bound>, if_any, 4, "", bound_text},
    {"model_error_min", "number",
     "relative error of virtual time, compared with real runs of the same problems: minimum over "
     "the conditions of the real runs",
     model_error<least>},
    {"model_error_max", "number", "… maximum", model_error<most>},
    {"model", "", "", nullptr, if_any, -1, "", model_text},
    {"wall_s", "number", "median duration of the tasks, including launch and exit",
     figure<middle, &RunSetting::wall_s>},
    {"memory_mb", "number", "median peak memory of the virtual engine",
     figure<middle, &RunSetting::memory_mb>},
    {"seeds", "integer", "number of different seeds", count<&RunSetting::seeds>, if_several, -1, "",
     count_if_any<&RunSetting::seeds>, "1"},
    {"repetitions", "integer", "number of different repetitions", count<&RunSetting::repetitions>,
     if_several, -1, "", count_if_any<&RunSetting::repetitions>, "1"},
    {"problems", "integer", "number of different problems", count<&RunSetting::problems>,
     if_several, -1, "", count_if_any<&RunSetting::problems>, "1"},
    {"runs_ok", "integer", "number of runs that ended well", count<&RunSetting::ok>},
    {"problem", "text", "hash of the items of each chain. Empty if runs have different problems.",
     [](const TableRow& row) {
       const auto& problems = row.setting.problems;
       return problems.size() == 1 ? problems.begin()->first : "";
     }},
    {"names", "words", "hashes of the runs, as in the column run of runs.csv",
     [](const TableRow& row) { return fmt::format("{}", fmt::join(row.setting.names, " ")); }},
    {"runs", "integer", "number of runs", count<&RunSetting::runs>},
    {"ok", "", "", nullptr, always, -1, "", ok_text}};

/// Returns the column of a parameter. Rows of lists are shown with their unusual options.
TableColumn parameter_column(const Parameter& parameter) {
  const OptionSpec& spec = parameter.spec;
  const bool groups = spec.type == OptionSpec::Type::groups;
  const bool text = groups || spec.type == OptionSpec::Type::faults || parameter.list != nullptr ||
                    !spec.words.empty();
  TableColumn column{spec.name, text ? "text" : "number", spec.help, nullptr, if_several};
  column.parameter = &parameter;
  if (groups) {
    column.text = [](const TableRow& row) { return describe_groups(row.setting.task.run()); };
  }
  if (spec.name == "group_size") column.heading = "G";
  if (spec.name == "item_ms") column.heading = "T_ms";
  const bool essential = spec.name == "engine" || spec.name == "workload";
  if (!essential && column.heading.empty()) column.usual = spec.fallback;
  return column;
}

std::vector<TableColumn> all_columns() {
  // The runs of a row differ in these, or other columns show them.
  constexpr std::array<std::string_view, 5> left_out{"balancer", "communicator", "repetition",
                                                     "seed", "timeout_s"};
  std::vector<TableColumn> columns;
  for (const Parameter& parameter : parameters()) {
    const bool shown = std::ranges::count(left_out, parameter.spec.name) == 0;
    if (shown && parameter.applies_to(nullptr)) columns.push_back(parameter_column(parameter));
  }
  columns.insert(columns.end(), std::begin(columns_of_runs), std::end(columns_of_runs));
  return columns;
}

// ---- the table of runs

/// Fingerprint of a task without its engine, costs, inputs, repetition and seed.
std::string without_engine(Task task) {
  task.run().engine = nullptr;
  task.run().costs = {};
  task.run().inputs = {};
  task.repetition = 0;
  task.seed = 0;
  return fingerprint(task);
}

/// Describes a value of a column: "T = 100 ms", "2 cores".
std::string in_words(std::string_view column, const std::string& value) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> words{
      {{"engine", "{} engine"},
       {"ranks", "{} ranks"},
       {"group_size", "G = {}"},
       {"item_ms", "T = {} ms"},
       {"workload", "{} workload"},
       {"walker", "{} walker"},
       {"costs", "{} communication"},
       {"speedup", "{} speed-up"},
       {"cores", "{} cores"}}};
  for (const auto& [name, text] : words) {
    if (name == column) return fmt::format(fmt::runtime(text), value);
  }
  return fmt::format("{} {}", column, value);
}

RunTable::RunTable(const RunSettings& settings)
    : settings_(settings), columns_(all_columns()), values_(columns_.size()) {
  std::set<const Strategy*> strategies;
  for (const RunSetting& setting : settings_) {
    if (setting.task.is_real()) real_.emplace(without_engine(setting.task), &setting);
    if (setting.task.strategy() != nullptr) strategies.insert(setting.task.strategy());
  }
  several_strategies_ = strategies.size() > 1;
  find_values();
  find_panels();
}

void RunTable::find_values() {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const Shown shown = columns_[c].shown;
    auto& [first, several] = values_[c];
    if (shown == if_several || shown == if_any) {
      for (const RunSetting& setting : settings_) {
        const std::string text = text_of(c, setting);
        if (first.empty()) first = text;
        if (!text.empty() && text != first) several = true;
      }
    }
    if (shown == always || (shown == if_several && several) || (shown == if_any && !first.empty()))
      shown_.push_back(c);
  }
}

/// Finds the columns of panel(): those that vary, except with ranks and, for conditions, engine.
void RunTable::find_panels() {
  constexpr std::array<std::string_view, 3> follow_ranks{"waited", "cores", "placement"};
  constexpr std::array<std::string_view, 4> no_panel{"ranks", "seeds", "repetitions", "problems"};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const TableColumn& column = columns_[c];
    if (column.shown != if_several || !values_[c].several) continue;
    if (std::ranges::count(no_panel, column.name) > 0) continue;
    bool varies = std::ranges::count(follow_ranks, column.name) == 0;
    std::map<std::pair<int, const Engine*>, std::string> first;
    for (auto setting = settings_.begin(); setting != settings_.end() && !varies; ++setting) {
      const std::string text = text_of(c, *setting);
      if (text.empty()) continue;
      const Task& task = setting->task;
      varies = first.emplace(std::pair(task.ranks, task.run().engine), text).first->second != text;
    }
    if (varies) panel_columns_.push_back(c);
  }
}

std::string RunTable::panel(const RunSetting& setting) const {
  std::string text;
  for (const std::size_t c : panel_columns_) {
    const std::string value = text_of(c, setting);
    if (value.empty()) continue;
    text += (text.empty() ? "" : ", ") + in_words(columns_[c].name, value);
  }
  return text;
}

std::string RunTable::label(const RunSetting& setting) const {
  return several_strategies_ ? describe_balancer(setting.task) : balancer_of(setting.task);
}

std::vector<double> RunTable::model_errors(const RunSetting& setting) const {
  std::vector<double> errors;
  if (!setting.task.is_exact() || real_.empty()) return errors;
  const auto [first, last] = real_.equal_range(without_engine(setting.task));
  for (auto other = first; other != last; ++other) {
    if (const auto off = setting.off(*other->second)) errors.push_back(*off);
  }
  return errors;
}

/// Describes the values that all rows share, except usual ones: "virtual engine, 32 ranks, …".
std::string RunTable::in_common() const {
  std::string text;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto& [first, several] = values_[c];
    if (columns_[c].shown != if_several || several || first == columns_[c].usual) continue;
    if (!first.empty()) text += (text.empty() ? "" : ", ") + in_words(columns_[c].name, first);
  }
  return text;
}

/// Calls `print` with the headings, and then with each row for people.
template <class Print>
void RunTable::each_row(Print print) const {
  Cells cells;
  for (const std::size_t c : shown_) {
    cells.emplace_back(columns_[c].heading.empty() ? columns_[c].name : columns_[c].heading);
  }
  print(cells);
  for (const RunSetting& setting : settings_) {
    cells.clear();
    for (const std::size_t c : shown_) cells.push_back(text_of(c, setting));
    print(cells);
  }
}

void RunTable::print_text(bool markdown) const {
  const bool beside_paper = std::ranges::any_of(
      shown_, [&](std::size_t column) { return columns_[column].text == paper_text; });
  fmt::print(
      "Regroupings per process (avg, stdev: medians over repetitions and seeds; min, max: over all "
      "runs),\n{}and execution times.\n{}\n\n",
      beside_paper ? "the paper's numbers for 8,192 ranks, " : "", in_common());
  TextTable layout;
  each_row([&](const Cells& cells) { layout.fit(cells); });
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    if (columns_[shown_[i]].type == "text") left.push_back(i);
  }
  bool headings = true;
  each_row([&](const Cells& cells) {
    fmt::print("{}", layout.line(cells, left, markdown));
    if (std::exchange(headings, false) && markdown) fmt::print("{}", layout.rule());
  });
  print_notes();
}

void RunTable::print_latex() const {
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (std::string_view("_%&#$").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
    return result;
  };
  bool headings = true;
  each_row([&](const Cells& cells) {
    if (headings) {
      fmt::print("\\begin{{tabular}}{{{}}}\n\\hline\n", std::string(cells.size(), 'r'));
    }
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : " & ") + escaped(cell);
    fmt::print("{} \\\\\n{}", line, std::exchange(headings, false) ? "\\hline\n" : "");
  });
  fmt::print("\\hline\n\\end{{tabular}}\n");
}

void RunTable::print_for_programs(bool json) const {
  regroup::print_for_programs(json, table_columns(), [&](const auto& print) {
    Cells cells;
    for (const RunSetting& setting : settings_) {
      cells.clear();
      for (const TableColumn& column : columns_) {
        if (column.is_for_programs()) cells.push_back(column.cell_of({setting, *this}));
      }
      print(cells);
    }
  });
}

void RunTable::print_notes() const {
  const auto any = [&](const auto& holds) { return std::ranges::any_of(settings_, holds); };
  if (any([&](const RunSetting& setting) { return !model_errors(setting).empty(); })) {
    fmt::print(
        "\nmodel: relative error of virtual time, compared with real runs of the same problems; "
        "several values\nif the real runs have several conditions\n");
  }
  if (any([](const RunSetting& setting) { return setting.problems.size() > 1; })) {
    fmt::print(
        "\nproblems: the runs of a row have different problems, so their makespans are not "
        "combined; of_ideal\n(makespan / ideal) is the median over the problems, of_ideal_range "
        "their minimum and maximum\n");
  }
  if (any([](const RunSetting& setting) { return setting.task.run().may_end_early(); })) {
    fmt::print(
        "\nuntil_*: a stopping rule ended these runs. Makespans are times to the same statistical "
        "error;\nproblems and ideals include only the items needed for it\n");
  }
  if (any([](const RunSetting& setting) { return setting.task.has_own_times(); })) {
    fmt::print(
        "\nof_ideal: for walkers that compute, the ideal is based on the median item time of each "
        "run, in groups\nof the initial size\n");
  }
  const auto computed_once = [](const RunSetting& setting) {
    return setting.task.is_exact() && setting.ok == 1 && !draws(setting.task);
  };
  if (any(computed_once)) {
    fmt::print(
        "\nok 1/1 in virtual time: nothing is random (neither items, nor their times, nor the "
        "balancer's\ndecisions), so one run represents all repetitions and seeds\n");
  }
}

}  // namespace

std::vector<ColumnHelp> table_columns() {
  std::vector<ColumnHelp> columns;
  for (const TableColumn& column : all_columns()) {
    if (!column.is_for_programs()) continue;
    columns.push_back(
        {std::string(column.name), std::string(column.type), std::string(column.help)});
  }
  return columns;
}

void print_rows(const std::string& directory, const MeasurementKind* kind, const Where& where,
                const Catalog& catalog) {
  std::string text;
  each_record_where(where, directory, kind, catalog, [&](const CsvRow& row, const Record&) {
    if (text.empty()) text = csv_line(row.columns);
    text += csv_line(row.fields);
  });
  if (text.empty()) {
    throw UserError(fmt::format("{}/{}: there are no rows", directory, file_of(kind)));
  }
  fmt::print("{}", text);
}

void print_run_table(const std::string& directory, const std::string& format, const Where& where,
                     const Catalog& catalog) {
  const RunSettings settings = run_settings(directory, catalog, where);
  if (settings.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  const bool for_people = format == "text" || format == "markdown";
  if (for_people && settings.size() > most_rows) {
    return print_overview_instead(settings.size(), directory, format, where, catalog);
  }
  const RunTable table(settings);
  if (format == "csv" || format == "json") return table.print_for_programs(format == "json");
  if (format == "latex") return table.print_latex();
  table.print_text(format == "markdown");
}

// ---- measurements

namespace {

/// The measurements of a setting that differ only in repetition and seed.
struct MeasuredRow {
  const TitledSetting& of;
  const MeasuredSetting::Row& first;
};

struct MeasuredColumn : ColumnHelp {
  std::function<std::string(const MeasuredRow& row)> cell;
};

/// Returns a figure as the median over repetitions and seeds, or an end of an interval as that of
/// the interval that contains all their intervals.
std::string figure(const MeasuredRow& row, const std::string& name) {
  for (const auto& [ending, end] :
       {std::pair("_low_s", &Interval::low_s), std::pair("_high_s", &Interval::high_s)}) {
    if (!name.ends_with(ending)) continue;
    const std::string stem = name.substr(0, name.size() - std::string_view(ending).size());
    const auto interval = row.of.setting.interval(stem, row.first.options);
    return interval ? exact((*interval).*end) : "";
  }
  const auto found = row.of.setting.median(name, row.first.options);
  return found ? exact(*found) : "";
}

std::string caller(const MeasuredRow& row) {
  if (row.first.strategy == nullptr) return {};
  return row.first.strategy->caller == Caller::parent ? "parent" : "group";
}

std::vector<MeasuredColumn> measured_columns(const MeasurementKind& kind) {
  using Row = MeasuredRow;
  std::vector<MeasuredColumn> columns{
      {{"panel", "text",
        "all parameters in which settings differ, except ranks; rows of one picture have the same "
        "text"},
       [](const Row& row) { return row.of.panel; }},
      {{"title", "text", "all parameters of the setting"},
       [](const Row& row) { return row.of.title; }},
      {{"ranks", "integer", "number of processes in the world communicator"},
       [](const Row& row) { return std::to_string(row.of.first->task.ranks); }},
      {{"cores", "integer", "total number of cores of all nodes"},
       [](const Row& row) { return std::to_string(row.of.first->outcome.where.cores); }},
      {{"oversubscribed", "yes | no", "whether ranks outnumber cores on some node"},
       [](const Row& row) { return row.of.first->outcome.where.crowded ? "yes" : "no"; }},
      {{"waited", "text", "how processes waited"},
       [](const Row& row) { return row.of.first->outcome.waiting; }}};
  if (kind.of_walkers) {
    columns.push_back(
        {{"item_ms", "number", "T: time of an item on one rank, in milliseconds"},
         [](const Row& row) { return exact(row.of.first->task.measurement().item_ms); }});
    columns.push_back({{"walker", "text", "kind of Markov chain"}, [](const Row& row) {
                         const Measurement& measurement = row.of.first->task.measurement();
                         return describe_row(*measurement.walker.row, measurement.walker.options);
                       }});
  }
  columns.push_back(
      {{"caller", "parent | group",
        "processes that must call the constructor: all ranks of the parent, or only the group"},
       caller});
  for (const OptionSpec& spec : kind.options) {
    columns.push_back({{std::string(spec.name), allowed(spec), std::string(spec.help)},
                       [&spec](const Row& row) { return row.first.options.text(spec.name); }});
  }
  for (const NamedFigure& one : figures_of(kind)) {
    columns.push_back({{one.name, "number", one.help},
                       [name = one.name](const Row& row) { return figure(row, name); }});
  }
  return columns;
}

/// Returns the rows in the order of their first measurements.
std::vector<MeasuredRow> measured_rows(const std::vector<TitledSetting>& settings) {
  std::vector<MeasuredRow> rows;
  for (const TitledSetting& setting : settings) {
    const std::size_t begin = rows.size();
    for (const MeasuredSetting::Row& row : setting.setting.rows()) {
      const auto same = [&](const MeasuredRow& other) {
        return other.first.options == row.options;
      };
      if (std::none_of(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.end(), same)) {
        rows.push_back({setting, row});
      }
    }
  }
  return rows;
}

void print_summary(const std::vector<TitledSetting>& settings, const std::vector<Record>& records) {
  const char* separator = "";
  for (const TitledSetting& setting : settings) {
    fmt::print("{}{}\n{}", std::exchange(separator, "\n"), setting.title,
               summary_of(setting.setting));
  }
  fmt::print("{}", describe_left_out(records));
}

}  // namespace

void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Where& where, const Catalog& catalog) {
  const std::string path = directory + "/" + file_of(&kind);
  const std::vector<Record> records = read_records(directory, &kind, catalog, where);
  if (records.empty()) throw UserError(fmt::format("{}: there are no rows", path));
  const std::vector<TitledSetting> settings = measured_settings(kind, directory, records);
  if (format == "text") return print_summary(settings, records);
  if (format != "csv" && format != "json") {
    throw UserError(fmt::format("{}: no summary of measurements in {}; allowed: text, csv, json",
                                path, format));
  }
  const std::vector<MeasuredColumn> columns = measured_columns(kind);
  print_for_programs(format == "json", {columns.begin(), columns.end()}, [&](const auto& print) {
    for (const MeasuredRow& row : measured_rows(settings)) {
      Cells cells;
      for (const MeasuredColumn& column : columns) cells.push_back(column.cell(row));
      print(cells);
    }
  });
}

}  // namespace regroup
