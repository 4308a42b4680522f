// SPDX-License-Identifier: BSD-3-Clause
#include "driver/store/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "driver/config/experiment.hpp"
#include "kernel/files/csv.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/numbers/statistics.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/table.hpp"
#include "library/describe.hpp"

namespace regroup {
namespace {

using Numbers = std::vector<double>;
using Columns = std::vector<TableColumn>;
using Json = nlohmann::ordered_json;

std::string exact(double number) { return fmt::format("{}", number); }

std::string decimals(double number, int digits) { return fmt::format("{:.{}f}", number, digits); }

/// "1.25-2.50".
std::string span_of(const Numbers& numbers, int digits) {
  const auto [low, high] = std::ranges::minmax(numbers);
  return decimals(low, digits) + "-" + decimals(high, digits);
}

double middle(const Numbers& numbers) { return median(numbers); }
double least(const Numbers& numbers) { return std::ranges::min(numbers); }
double most(const Numbers& numbers) { return std::ranges::max(numbers); }

/// Of what a row has several numbers of.
using Find = std::function<Numbers(const RunSetting&)>;
using Pick = double (*)(const Numbers&);

/// `pick` of the numbers, where there are any.
TableColumn figure(std::string name, std::string help, Pick pick, Find find) {
  return {{std::move(name), "number", std::move(help)},
          [pick, find = std::move(find)](const TableRow& row) {
            const Numbers numbers = find(row.setting);
            return numbers.empty() ? "" : exact(pick(numbers));
          }};
}

/// Its text with so many decimals.
TableColumn rounded(TableColumn column, Shown shown, int digits, std::string heading = {}) {
  column.shown = shown;
  column.heading = std::move(heading);
  column.text = [cell = column.cell, digits](const TableRow& row) {
    const std::string text = cell(row);
    return text.empty() ? text : decimals(std::stod(text), digits);
  };
  return column;
}

TableColumn for_people(std::string heading, std::string help, Shown shown, bool left,
                       std::function<std::string(const TableRow&)> text) {
  TableColumn column{{heading, "text", std::move(help)}, {}, shown, std::move(text)};
  column.heading = std::move(heading);
  column.left = left;
  return column;
}

TableColumn count(std::string name, std::string help, Shown shown,
                  std::size_t (*of)(const RunSetting&)) {
  TableColumn column{{std::move(name), "integer", std::move(help)},
                     [of](const TableRow& row) { return std::to_string(of(row.setting)); },
                     shown};
  column.usual = "1";
  column.text = [of](const TableRow& row) {
    const std::size_t number = of(row.setting);
    return number == 0 ? std::string() : std::to_string(number);
  };
  return column;
}

template <auto Member>
TableColumn condition(std::string name, std::string type, std::string help, Shown shown) {
  return {{std::move(name), std::move(type), std::move(help)},
          [](const TableRow& row) -> std::string {
            const auto& conditions = row.setting.conditions;
            if (conditions == nullptr) return {};
            const auto& value = (*conditions).*Member;
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<Value, std::string>) {
              return value;
            } else if constexpr (std::is_same_v<Value, bool>) {
              return value ? "yes" : "no";
            } else {
              return value == 0 ? "" : fmt::format("{}", value);
            }
          },
          shown};
}

/// Parameters that rows have several of, or that are in other columns.
constexpr std::array<std::string_view, 5> without_own_column{"balancer", "communicator",
                                                             "repetition", "seed", "timeout_s"};

/// A parameter of runs; of a row of a list, with its options where they are not as usual.
TableColumn parameter_column(const Parameter& parameter) {
  const bool words = parameter.list != nullptr || !parameter.spec.words.empty() ||
                     parameter.spec.type == OptionSpec::Type::groups;
  TableColumn column{{std::string(parameter.spec.name), words ? "text" : "number",
                      std::string(parameter.spec.help)},
                     [&parameter](const TableRow& row) { return parameter.text(row.setting.task); },
                     Shown::if_several};
  column.left = words;
  if (parameter.spec.type == OptionSpec::Type::groups) {
    column.text = [](const TableRow& row) { return describe_groups(row.setting.task.run()); };
  } else if (parameter.brief != nullptr) {
    column.text = [&parameter](const TableRow& row) { return parameter.brief(row.setting.task); };
  }
  if (parameter.spec.name == "group_size") column.heading = "G";
  if (parameter.spec.name == "item_ms") column.heading = "T_ms";
  const bool rare = parameter.list == nullptr || parameter.column == Parameter::Column::settings;
  if (rare && column.heading.empty()) column.usual = parameter.spec.fallback;
  return column;
}

void add_parameters(Columns& columns) {
  for (const Parameter& parameter : parameters()) {
    if (!parameter.applies_to(nullptr)) continue;
    if (std::ranges::count(without_own_column, parameter.spec.name) > 0) continue;
    columns.push_back(parameter_column(parameter));
  }
}

void add_conditions(Columns& columns) {
  TableColumn waited =
      condition<&Conditions::waited>("waited", "text", "how processes waited", Shown::if_several);
  waited.left = true;
  waited.text = [cell = waited.cell](const TableRow& row) {
    const std::string how = cell(row);
    return how == "virtual" ? "" : how;  // which the engine says, too
  };
  columns.push_back(std::move(waited));
  columns.push_back(
      condition<&Conditions::cores>("cores", "integer", "cores of all nodes", Shown::if_several));
  columns.push_back(condition<&Conditions::oversubscribed>(
      "oversubscribed", "yes | no", "whether ranks outnumber cores", Shown::never));
  TableColumn placement = condition<&Conditions::placement>(
      "placement", "text", "where it ran, if the same was run at several places: see places/",
      Shown::if_several);
  placement.left = true;
  placement.text = [cell = placement.cell](const TableRow& row) {
    return row.setting.elsewhere ? cell(row) : "";
  };
  columns.push_back(std::move(placement));
  TableColumn circumstances = condition<&Conditions::circumstances>(
      "circumstances", "text",
      "version, MPI library, launcher, environment and machine, as far as they differ",
      Shown::if_several);
  circumstances.left = true;
  columns.push_back(std::move(circumstances));
  columns.push_back(
      {{"clock", "wall | virtual | simgrid", "the clock of all times"},
       [](const TableRow& row) { return std::string(row.setting.task.run().engine->clock); }});
}

void add_names(Columns& columns) {
  columns.push_back({{"panel", "text",
                      "what distinguishes the row from others, beside ranks and "
                      "variant: rows with equal texts belong into one picture"},
                     [](const TableRow& row) { return row.table.panel(row.setting); }});
  columns.push_back({{"balancer", "text", "the balancer"}, [](const TableRow& row) {
                       return std::string(row.setting.task.run().balancer->name);
                     }});
  columns.push_back(
      {{"communicator", "text", "the communicator strategy; empty where there is none"},
       [](const TableRow& row) {
         const Strategy* strategy = row.setting.task.strategy();
         return strategy == nullptr ? "" : std::string(strategy->name);
       }});
  columns.push_back({{"label", "text", "the variant, without a strategy that all rows have"},
                     [](const TableRow& row) { return row.table.label(row.setting); }});
  TableColumn variant{{"variant", "text", "the balancer with its options, and the strategy"},
                      [](const TableRow& row) { return describe_balancer(row.setting.task); },
                      Shown::always};
  variant.heading = "balancer";
  variant.left = true;
  columns.push_back(std::move(variant));
}

TableColumn paper_figure(std::string name, std::string help, double (*of)(const PaperRow&)) {
  return {{std::move(name), "number", std::move(help)}, [of](const TableRow& row) {
            const PaperRow* paper = paper_row(row.setting.task);
            return paper == nullptr ? "" : exact(of(*paper));
          }};
}

void add_regroups(Columns& columns) {
  columns.push_back(
      rounded(figure("regroups_avg", "regroupings of a process: average, median over the runs",
                     middle, [](const RunSetting& s) { return s.regroups_avg; }),
              Shown::always, 3, "avg"));
  columns.push_back(rounded(
      figure("regroups_stdev", "standard deviation over the processes, median over the runs",
             middle, [](const RunSetting& s) { return s.regroups_stdev; }),
      Shown::always, 4, "stdev"));
  columns.push_back(rounded(figure("regroups_min", "minimum of all runs", least,
                                   [](const RunSetting& s) { return s.regroups_min; }),
                            Shown::always, 0, "min"));
  columns.push_back(rounded(figure("regroups_max", "maximum of all runs", most,
                                   [](const RunSetting& s) { return s.regroups_max; }),
                            Shown::always, 0, "max"));
  columns.push_back(paper_figure("paper_avg", "the paper's average, where comparable",
                                 [](const PaperRow& paper) { return paper.average; }));
  columns.push_back(paper_figure("paper_stdev", "the paper's standard deviation",
                                 [](const PaperRow& paper) { return paper.deviation; }));
  columns.push_back(paper_figure("paper_min", "the paper's minimum",
                                 [](const PaperRow& paper) { return 1.0 * paper.min; }));
  columns.push_back(paper_figure("paper_max", "the paper's maximum",
                                 [](const PaperRow& paper) { return 1.0 * paper.max; }));
  columns.push_back(for_people("paper (avg / stdev / min / max)",
                               "the paper's figures, where comparable", Shown::always, false,
                               [](const TableRow& row) -> std::string {
                                 const PaperRow* paper = paper_row(row.setting.task);
                                 if (paper == nullptr) return {};
                                 return fmt::format("{:.2f} / {:.2f} / {} / {}", paper->average,
                                                    paper->deviation, paper->min, paper->max);
                               }));
}

/// Times of different problems are not put together.
Numbers seconds_of(const RunSetting& setting) {
  const auto* problem = setting.only_problem();
  return problem == nullptr ? Numbers() : problem->makespans_s;
}

template <auto Member>
Numbers of_problem(const RunSetting& setting) {
  const auto* problem = setting.only_problem();
  return problem == nullptr ? Numbers() : Numbers{problem->*Member};
}

Numbers ratios_to_ideal(const RunSetting& setting) {
  return setting.ratios(&RunSetting::Problem::ideal_s);
}
Numbers ratios_to_bound(const RunSetting& setting) {
  return setting.ratios(&RunSetting::Problem::bound_s);
}
Numbers ratios_to_least(const RunSetting& setting) { return setting.ratios(setting.least_s()); }

bool has_perfect_speedup(const RunSetting& setting) {
  return setting.task.run().speedup->name == "perfect";
}

std::string listed(Numbers numbers) {
  std::ranges::sort(numbers);
  return fmt::format("{}", fmt::join(numbers, " "));
}

void add_times(Columns& columns) {
  columns.push_back(
      rounded(figure("makespan_s", "median makespan of the runs, where they had the same problem",
                     middle, seconds_of),
              Shown::if_any, 4));
  columns.push_back(figure("makespan_min_s", "… minimum", least, seconds_of));
  columns.push_back(figure("makespan_max_s", "… maximum", most, seconds_of));
  columns.push_back({{"makespans_s", "numbers", "… all of them, ascending"},
                     [](const TableRow& row) { return listed(seconds_of(row.setting)); }});
  columns.push_back(for_people("range_s", "minimum and maximum makespan", Shown::if_any, false,
                               [](const TableRow& row) {
                                 const Numbers all = seconds_of(row.setting);
                                 return all.empty() ? "" : span_of(all, 4);
                               }));
  columns.push_back(figure("ideal_s", "the time with perfect balance and perfect speed-up", middle,
                           of_problem<&RunSetting::Problem::ideal_s>));
  columns.push_back(figure("bound_s", "lower bound of any schedule", middle,
                           of_problem<&RunSetting::Problem::bound_s>));
  columns.push_back(
      {{"least", "ideal | bound",
        "the lower limit that makespans are compared with: "
        "the bound where the speed-up is not perfect"},
       [](const TableRow& row) { return has_perfect_speedup(row.setting) ? "ideal" : "bound"; }});
  columns.push_back({{"of_least", "numbers", "makespan / that limit, of each problem, ascending"},
                     [](const TableRow& row) { return listed(ratios_to_least(row.setting)); }});
  columns.push_back(rounded(
      figure("of_ideal", "makespan / ideal: median over the problems", middle, ratios_to_ideal),
      Shown::always, 4));
  columns.push_back(figure("of_ideal_min", "… minimum", least, ratios_to_ideal));
  columns.push_back(figure("of_ideal_max", "… maximum", most, ratios_to_ideal));
  columns.push_back(for_people("of_ideal_range", "minimum and maximum of makespan / ideal",
                               Shown::if_any, false, [](const TableRow& row) {
                                 const Numbers all = ratios_to_ideal(row.setting);
                                 return all.size() < 2 ? "" : span_of(all, 4);
                               }));
  TableColumn of_bound = rounded(
      figure("of_bound", "makespan / bound: median over the problems", middle, ratios_to_bound),
      Shown::if_any, 4);
  of_bound.text = [text = of_bound.text](const TableRow& row) {
    // With perfect speed-up it would be of_ideal once more.
    return has_perfect_speedup(row.setting) ? "" : text(row);
  };
  columns.push_back(std::move(of_bound));
}

TableColumn model_error(std::string name, std::string help, Pick pick) {
  return {{std::move(name), "number", std::move(help)}, [pick](const TableRow& row) {
            const Numbers errors = row.table.model_errors(row.setting);
            return errors.empty() ? "" : exact(pick(errors));
          }};
}

void add_rest(Columns& columns) {
  columns.push_back(model_error(
      "model_error_min",
      "relative error of virtual time, compared with the same problems on real processes: minimum "
      "over the conditions of these",
      least));
  columns.push_back(model_error("model_error_max", "… maximum", most));
  columns.push_back(for_people(
      "model", "relative error of virtual time, compared with the same problems on real processes",
      Shown::if_any, false, [](const TableRow& row) {
        std::string text;
        for (const double error : row.table.model_errors(row.setting)) {
          text += fmt::format("{}{:+.1f} %", text.empty() ? "" : " / ", 100 * error);
        }
        return text;
      }));
  columns.push_back(figure("wall_s", "median wall time of the whole tasks", middle,
                           [](const RunSetting& s) { return s.wall_s; }));
  columns.push_back(figure("memory_mb", "median peak memory of the virtual engine", middle,
                           [](const RunSetting& s) { return s.memory_mb; }));
  columns.push_back(count("seeds", "different seeds", Shown::if_several,
                          [](const RunSetting& s) { return s.seeds.size(); }));
  columns.push_back(count("repetitions", "different repetitions", Shown::never,
                          [](const RunSetting& s) { return s.repetitions.size(); }));
  columns.push_back(count("problems", "different problems", Shown::if_several,
                          [](const RunSetting& s) { return s.problems.size(); }));
  columns.push_back(count("runs_ok", "runs that ended well", Shown::never,
                          [](const RunSetting& s) { return s.ok; }));
  columns.push_back(
      {{"names", "words", "their names, as in the column run of the other files"},
       [](const TableRow& row) { return fmt::format("{}", fmt::join(row.setting.names, " ")); }});
  columns.push_back(
      count("runs", "all runs", Shown::never, [](const RunSetting& s) { return s.runs; }));
  columns.push_back(for_people(
      "ok", "runs that ended well / all runs", Shown::always, false,
      [](const TableRow& row) { return fmt::format("{}/{}", row.setting.ok, row.setting.runs); }));
}

/// The parameters of a run but for its engine and what belongs to it.
std::string without_engine(Task task) {
  task.run().engine = nullptr;
  task.run().costs = {};
  task.run().inputs = {};
  task.repetition = 0;
  task.seed = 0;
  return fingerprint(task);
}

/// "T = 100 ms", "2 cores": a column and its value in words.
std::string in_words(const std::string& column, const std::string& value) {
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

Json json_of(const std::string& type, const std::string& cell) {
  if (cell.empty()) return nullptr;
  if (type != "number" && type != "integer") return cell;
  const Json number = Json::parse(cell, nullptr, false);
  return number.is_number() ? number : Json(nullptr);
}

}  // namespace

std::vector<TableColumn> table_columns() {
  Columns columns;
  add_parameters(columns);
  add_conditions(columns);
  add_names(columns);
  add_regroups(columns);
  add_times(columns);
  add_rest(columns);
  return columns;
}

// ---- the table
// -----------------------------------------------------------------------------------

RunTable::RunTable(const RunSettings& settings)
    : settings_(settings), columns_(table_columns()), values_(columns_.size()) {
  std::set<const Strategy*> strategies;
  for (const RunSetting& setting : settings_) {
    if (setting.task.is_real()) real_.emplace(without_engine(setting.task), &setting);
    if (setting.task.strategy() != nullptr) strategies.insert(setting.task.strategy());
  }
  several_strategies_ = strategies.size() > 1;
  for (const RunSetting& setting : settings_) look_at(setting);
  find_panels();
}

std::string RunTable::text_of(const TableColumn& column, const RunSetting& setting) const {
  const TableRow row{setting, *this};
  return column.text ? column.text(row) : column.cell(row);
}

void RunTable::look_at(const RunSetting& setting) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].shown == Shown::never || columns_[c].shown == Shown::always) continue;
    const std::string text = text_of(columns_[c], setting);
    Values& values = values_[c];
    if (values.first.empty()) values.first = text;
    if (!text.empty() && text != values.first) values.several = true;
  }
}

/// Parameters and conditions with several values, but for ranks and what may follow from them.
void RunTable::find_panels() {
  constexpr std::array<std::string_view, 3> follow_ranks{"waited", "cores", "placement"};
  constexpr std::array<std::string_view, 3> no_panel{"ranks", "seeds", "problems"};
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const TableColumn& column = columns_[c];
    if (column.shown != Shown::if_several || !values_[c].several) continue;
    if (std::ranges::count(no_panel, column.name) > 0) continue;
    if (std::ranges::count(follow_ranks, column.name) > 0) {
      std::map<std::pair<int, const Engine*>, std::set<std::string>> values;
      for (const RunSetting& setting : settings_) {
        const std::string text = text_of(column, setting);
        if (text.empty()) continue;
        values[{setting.task.ranks, setting.task.run().engine}].insert(text);
      }
      if (std::ranges::all_of(values, [](const auto& of) { return of.second.size() < 2; })) {
        continue;
      }
    }
    panel_columns_.push_back(c);
  }
}

std::string RunTable::panel(const RunSetting& setting) const {
  std::string text;
  for (const std::size_t c : panel_columns_) {
    const std::string value = text_of(columns_[c], setting);
    if (value.empty()) continue;
    text += (text.empty() ? "" : ", ") + in_words(columns_[c].name, value);
  }
  return text;
}

std::string RunTable::label(const RunSetting& setting) const {
  std::string text = describe_balancer(setting.task);
  const Strategy* strategy = setting.task.strategy();
  if (strategy == nullptr || several_strategies_) return text;
  return text.substr(0, text.size() - strategy->name.size() - 2);
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

bool RunTable::is_shown(std::size_t column) const {
  switch (columns_[column].shown) {
    case Shown::never:
      return false;
    case Shown::always:
      return true;
    case Shown::if_several:
      return values_[column].several;
    case Shown::if_any:
      return !values_[column].first.empty();
  }
  return false;
}

/// "virtual engine, 32 ranks, …": what is not shown since all rows have the same, if that says
/// something.
std::string RunTable::in_common() const {
  std::string text;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].shown != Shown::if_several || is_shown(c) || values_[c].first.empty()) continue;
    if (values_[c].first == columns_[c].usual) continue;
    text += (text.empty() ? "" : ", ") + in_words(columns_[c].name, values_[c].first);
  }
  return text;
}

/// Calls `print` with the headings, and then with each row for people.
template <class Print>
void RunTable::each_row(Print print) const {
  std::vector<std::size_t> shown;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (is_shown(c)) shown.push_back(c);
  }
  Cells cells;
  for (const std::size_t c : shown) {
    cells.push_back(columns_[c].heading.empty() ? columns_[c].name : columns_[c].heading);
  }
  print(cells);
  for (const RunSetting& setting : settings_) {
    cells.clear();
    for (const std::size_t c : shown) cells.push_back(text_of(columns_[c], setting));
    print(cells);
  }
}

void RunTable::print_text(bool markdown) const {
  fmt::print(
      "Regroupings per process (avg, stdev: medians over repetitions and seeds; min, max: of all)\n"
      "beside the paper's at 8,192 ranks, and execution times.\n{}\n\n",
      in_common());
  TextTable layout;
  each_row([&](const Cells& cells) { layout.fit(cells); });
  std::vector<std::size_t> all;
  std::vector<std::size_t> left;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (!is_shown(c)) continue;
    if (columns_[c].left) left.push_back(all.size());
    all.push_back(all.size());
  }
  bool headings = true;
  each_row([&](const Cells& cells) {
    fmt::print("{}", layout.line(cells, all, left, markdown));
    if (std::exchange(headings, false) && markdown) fmt::print("{}", layout.rule(all));
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

void RunTable::print_csv() const {
  std::vector<std::string> fields;
  for (const TableColumn& column : columns_) {
    if (column.cell) fields.push_back(column.name);
  }
  fmt::print("{}", csv_line(fields));
  for (const RunSetting& setting : settings_) {
    fields.clear();
    for (const TableColumn& column : columns_) {
      if (column.cell) fields.push_back(column.cell({setting, *this}));
    }
    fmt::print("{}", csv_line(fields));
  }
}

void RunTable::print_json() const {
  fmt::print("{{\"schema\": {}, \"rows\": [", schema);
  const char* comma = "";
  for (const RunSetting& setting : settings_) {
    Json row;
    for (const TableColumn& column : columns_) {
      if (column.cell) row[column.name] = json_of(column.type, column.cell({setting, *this}));
    }
    fmt::print("{}\n{}", std::exchange(comma, ","), row.dump());
  }
  fmt::print("\n]}}\n");
}

void RunTable::print_notes() const {
  const auto any = [&](const auto& holds) { return std::ranges::any_of(settings_, holds); };
  if (any([&](const RunSetting& setting) { return !model_errors(setting).empty(); })) {
    fmt::print(
        "\nmodel: relative error of virtual time, compared with the same problems on real "
        "processes;\nseveral values where these ran under several conditions\n");
  }
  if (any([](const RunSetting& setting) { return setting.problems.size() > 1; })) {
    fmt::print(
        "\nproblems: seeds, or repetitions, drew different items. Times of different problems are "
        "not\ncombined: of_ideal is the median over the problems, of_ideal_range their minimum and "
        "maximum\n");
  }
  const auto computed_once = [](const RunSetting& setting) {
    return setting.task.is_exact() && setting.ok == 1 && !draws(setting.task);
  };
  if (any(computed_once)) {
    fmt::print(
        "\nok 1/1 in virtual time: nothing is random (neither items, nor their times, nor the "
        "balancer's\ndecisions), so one run stands for all repetitions and seeds\n");
  }
}

void print_run_table(const std::string& directory, const std::string& format,
                     const Catalog& catalog) {
  const RunSettings settings = run_settings(directory, catalog);
  if (settings.empty()) throw UserError(fmt::format("{}/runs.csv: there are no runs", directory));
  const RunTable table(settings);
  if (format == "csv") return table.print_csv();
  if (format == "json") return table.print_json();
  if (format == "latex") return table.print_latex();
  table.print_text(format == "markdown");
}

// ---- measurements
// --------------------------------------------------------------------------------

namespace {

/// Those measurements of a setting that differ in repetition and seed alone.
struct MeasuredRow {
  const TitledSetting& of;
  const Options& options;
};

struct MeasuredColumn : ColumnHelp {
  std::function<std::string(const MeasuredRow&)> cell;
};

MeasuredColumn of_first(std::string name, std::string type, std::string help,
                        std::function<std::string(const Record&)> value) {
  return {{std::move(name), std::move(type), std::move(help)},
          [value = std::move(value)](const MeasuredRow& row) { return value(*row.of.first); }};
}

/// A figure: its median over repetitions and seeds, or the end of the interval that covers those of
/// all of them.
MeasuredColumn figure_column(const NamedFigure& figure) {
  const auto of_interval = [&](std::string_view end, double Interval::*which) {
    const std::string name = figure.name.substr(0, figure.name.size() - end.size());
    return [name, which](const MeasuredRow& row) {
      const auto found = row.of.setting.interval(name, row.options);
      return found ? exact((*found).*which) : std::string();
    };
  };
  MeasuredColumn column{{figure.name, "number", figure.help}, {}};
  if (figure.name.ends_with("_low_s")) {
    column.cell = of_interval("_low_s", &Interval::low_s);
  } else if (figure.name.ends_with("_high_s")) {
    column.cell = of_interval("_high_s", &Interval::high_s);
  } else {
    column.cell = [name = figure.name](const MeasuredRow& row) {
      const auto found = row.of.setting.median(name, row.options);
      return found ? exact(*found) : std::string();
    };
  }
  return column;
}

std::vector<MeasuredColumn> measured_columns(const MeasurementKind& kind) {
  std::vector<MeasuredColumn> columns{
      {{"panel", "text", "what distinguishes the setting from others, beside ranks"},
       [](const MeasuredRow& row) { return row.of.panel; }},
      {{"title", "text", "the whole setting"}, [](const MeasuredRow& row) { return row.of.title; }},
      of_first("ranks", "integer", "processes of the world communicator",
               [](const Record& r) { return std::to_string(r.task.ranks); }),
      of_first("cores", "integer", "cores of all nodes",
               [](const Record& r) { return std::to_string(r.cores); }),
      of_first("oversubscribed", "yes | no", "whether ranks outnumber cores",
               [](const Record& r) { return std::string(r.oversubscribed ? "yes" : "no"); }),
      of_first("waited", "text", "how processes waited", [](const Record& r) { return r.waited; })};
  if (kind.of_walkers) {
    columns.push_back(
        of_first("item_ms", "number", "T: the time of an item on one rank",
                 [](const Record& r) { return exact(r.task.measurement().item_ms); }));
    columns.push_back(of_first("walker", "text", "the Markov chain", [](const Record& r) {
      const Measurement& measurement = r.task.measurement();
      return describe_row(*measurement.walker, measurement.walker_options);
    }));
  }
  columns.push_back({{"caller", "parent | group", "who must call the constructor"},
                     [](const MeasuredRow& row) -> std::string {
                       for (const MeasuredSetting::Row& one : row.of.setting.rows()) {
                         if (one.options != row.options || one.strategy == nullptr) continue;
                         return one.strategy->caller == Caller::parent ? "parent" : "group";
                       }
                       return {};
                     }});
  for (const OptionSpec& spec : kind.options) {
    columns.push_back({{std::string(spec.name), allowed(spec), std::string(spec.help)},
                       [&spec](const MeasuredRow& row) { return row.options.text(spec.name); }});
  }
  for (const NamedFigure& figure : figures_of(kind)) columns.push_back(figure_column(figure));
  return columns;
}

/// Calls `visit` with each row.
template <class Visit>
void each_measured(const std::vector<TitledSetting>& settings, Visit visit) {
  for (const TitledSetting& setting : settings) {
    std::vector<const Options*> seen;
    for (const MeasuredSetting::Row& row : setting.setting.rows()) {
      const auto same = [&](const Options* other) { return *other == row.options; };
      if (std::ranges::any_of(seen, same)) continue;
      seen.push_back(&row.options);
      visit(MeasuredRow{setting, row.options});
    }
  }
}

}  // namespace

void print_measurements(const MeasurementKind& kind, const std::string& directory,
                        const std::string& format, const Catalog& catalog) {
  const std::vector<Record> records = read_records(directory, &kind, catalog);
  if (records.empty()) {
    throw UserError(fmt::format("{}/{}: there are no rows", directory, file_of(&kind)));
  }
  const std::vector<TitledSetting> settings = measured_settings(kind, directory, records);
  if (format == "text") {
    const char* separator = "";
    for (const TitledSetting& setting : settings) {
      fmt::print("{}{}\n{}", std::exchange(separator, "\n"), setting.title,
                 summary_of(setting.setting));
    }
    fmt::print("{}", describe_left_out(records));
    return;
  }
  const std::vector<MeasuredColumn> columns = measured_columns(kind);
  if (format == "csv") {
    std::vector<std::string> names;
    for (const MeasuredColumn& column : columns) names.push_back(column.name);
    fmt::print("{}", csv_line(names));
    each_measured(settings, [&](const MeasuredRow& row) {
      std::vector<std::string> cells;
      for (const MeasuredColumn& column : columns) cells.push_back(column.cell(row));
      fmt::print("{}", csv_line(cells));
    });
  } else if (format == "json") {
    Json rows = Json::array();
    each_measured(settings, [&](const MeasuredRow& row) {
      Json& json = rows.emplace_back();
      for (const MeasuredColumn& column : columns) {
        json[column.name] = json_of(column.type, column.cell(row));
      }
    });
    fmt::print("{}\n", Json{{"schema", schema}, {"rows", rows}}.dump(1));
  } else {
    throw UserError(fmt::format("{}/{}: no summary of measurements in {}; allowed: text, csv, json",
                                directory, file_of(&kind), format));
  }
}

}  // namespace regroup
