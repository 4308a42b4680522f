// SPDX-License-Identifier: BSD-3-Clause
#include "driver/cli/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "communicators/available.hpp"
#include "driver/config/experiment.hpp"
#include "driver/config/read_experiment.hpp"
#include "driver/store/result_files.hpp"
#include "driver/store/run_files.hpp"
#include "driver/store/table_columns.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"
#include "measurements/bench.hpp"
#include "regroup/catalog.hpp"
#include "regroup/measurement.hpp"

namespace regroup {
namespace {

template <class Rows>
std::vector<ListRow> rows_of(const Rows& rows) {
  std::vector<ListRow> all;
  for (const auto& row : rows) {
    all.push_back({std::string(row.name), std::string(row.help)});
    if constexpr (requires { row.options; }) {
      for (const OptionSpec& spec : row.options) {
        all.back().options.push_back(ConfigKey::of(spec, false));
      }
    }
  }
  return all;
}

const std::string not_on_simgrid = "unsupported on engine simgrid";
const std::string ends_by_itself = "ends by itself; unsupported on engine virtual";

std::vector<ListRow> strategy_rows() {
  std::vector<ListRow> rows = rows_of(standard_catalog().strategies);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Strategy& strategy = standard_catalog().strategies[i];
    const bool parent = strategy.caller == Caller::parent;
    rows[i].notes.push_back(
        fmt::format("{}-collective: {}", parent ? "parent" : "group",
                    !strategy.serves_balancers()   ? "measured only, serves no balancer"
                    : parent                       ? "serves balancers that regroup in exchanges"
                    : strategy.forms == Forms::any ? "serves every balancer"
                                                   : "serves balancers whose groups are ranges"));
    if (!available(strategy.name)) rows[i].lacking = "unsupported: the MPI library lacks its calls";
    if (!strategy.smpi) rows[i].notes.push_back(not_on_simgrid);
  }
  return rows;
}

std::vector<ListRow> walker_rows() {
  std::vector<ListRow> rows = rows_of(standard_catalog().walkers);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WalkerEntry& walker = standard_catalog().walkers[i];
    if (!walker.observes.empty())
      rows[i].notes.push_back(fmt::format("observes {}", walker.observes));
    if (walker.open_end) rows[i].notes.push_back(ends_by_itself);
    if (!walker.smpi) rows[i].notes.push_back(not_on_simgrid);
  }
  return rows;
}

/// The key `communicator` of each balancer, which is no option of its own.
List strategies_of_balancers() {
  List list{"communicators", "communicator strategies that balancers can be run with", "balancer"};
  for (const BalancerEntry& balancer : standard_catalog().balancers) {
    if (const auto key = communicator_key(balancer)) {
      list.rows.push_back({std::string(balancer.name), "", {}, {*key}});
    }
  }
  return list;
}

template <class Columns>
List list_of(const std::string& word, const std::string& title, const Columns& columns) {
  List list{word, title, "column"};
  for (const ResultColumn& column : columns) {
    ListRow& row = list.rows.emplace_back(ListRow{column.name, column.help});
    row.content = column.content;
  }
  return list;
}

}  // namespace

std::vector<List> lists_of_choices() {
  return {
      {"engines", "engines", "engine", rows_of(standard_catalog().engines)},
      {"balancers", "balancers", "balancer", rows_of(standard_catalog().balancers)},
      {"strategies", "communicator strategies", "strategy", strategy_rows()},
      {"workloads", "workloads", "workload", rows_of(standard_catalog().workloads)},
      {"wants", "what walkers may want", "wants", rows_of(standard_catalog().wants)},
      {"speedups", "speed-up models", "speed-up", rows_of(standard_catalog().speedups)},
      {"walkers", "walkers", "walker", walker_rows()},
      {"costs", "cost models of virtual time", "cost model", rows_of(standard_catalog().costs)},
      {"patterns", "patterns of groups, whose creation is measured", "pattern",
       rows_of(standard_catalog().patterns)},
      {"measurements", "kinds of measurement (regroup KIND CONFIG)", "kind",
       rows_of(standard_catalog().measurements)},
      {"parameters",
       "parameters of a configuration (each may be a list)",
       "",
       {},
       keys_of_parameters()},
  };
}

std::vector<List> lists_of_files() {
  std::vector<List> lists{
      strategies_of_balancers(),
      {"keys", "keys of the configuration of an experiment", "", {}, configuration_keys()}};
  for (const MeasurementKind& kind : standard_catalog().measurements) {
    lists.push_back({std::string(kind.name),
                     fmt::format("keys of a configuration of measurements of {}", kind.name),
                     "",
                     {},
                     configuration_keys(&kind)});
  }
  lists.push_back({"samples", fmt::format("times that {} has samples of", samples_file), "figure",
                   rows_of(sampled_times())});
  for (const ResultFile& file : all_result_files()) {
    lists.push_back(list_of(file.name, fmt::format("columns of {}", file.name), file.columns));
  }
  lists.push_back(
      {"table", "columns of what regroup table prints", "column", rows_of(table_columns())});
  lists.push_back(
      list_of("table.csv", "columns of what regroup table prints as csv and json", data_columns()));
  return lists;
}

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ConfigKey& key);
Json json_of(const ListRow& row);
Json json_of(const List& list);

template <class All>
Json list_of(const All& all) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(json_of(one));
  return list;
}

Json json_of(const ConfigKey& key) {
  return {{"name", key.name},
          {"allowed", key.allowed},
          {"default", key.fallback.empty() ? Json(nullptr) : Json(key.fallback)},
          {"list", key.list},
          {"meaning", key.help}};
}

void add(Json& row, const Content& content, std::string_view unit) {
  row["type"] = name(content.type);
  if (content.type == Content::Type::choice) row["words"] = content.words;
  row["unit"] = unit.empty() ? Json(nullptr) : Json(unit);
  row["may_be_empty"] = content.may_be_empty;
}

Json json_of(const ListRow& row) {
  Json json{{"name", row.name}};
  if (row.content) add(json, *row.content, unit_of(row.name));
  json["meaning"] = row.help;
  if (!row.notes.empty()) json["notes"] = row.notes;
  if (!row.lacking.empty()) json["lacking"] = row.lacking;
  if (!row.options.empty()) json["options"] = list_of(row.options);
  return json;
}

Json json_of(const List& list) {
  Json json{{"word", list.word}, {"title", list.title}};
  if (list.noun == "column") {
    json["columns"] = list_of(list.rows);
  } else if (list.keys.empty()) {
    json["rows"] = list_of(list.rows);
  } else {
    json["keys"] = list_of(list.keys);
  }
  return json;
}

}  // namespace

std::string as_json(const std::vector<List>& lists) {
  return Json{{"schema", schema}, {"lists", list_of(lists)}}.dump(1) + "\n";
}

namespace {

/// "integer, or empty"; nothing where it is no column.
std::string type_of(const ListRow& row) {
  if (!row.content) return {};
  return fmt::format("{}{}", name(row.content->type),
                     row.content->may_be_empty ? ", or empty" : "");
}

std::string unit_in(const ListRow& row) {
  return std::string(row.content ? unit_of(row.name) : std::string_view());
}

void print_keys(const std::vector<ConfigKey>& keys) {
  for (const ConfigKey& key : keys) {
    fmt::print("      {}: {}; {}{}\n", key.name, key.help, key.allowed,
               key.fallback.empty() ? "" : fmt::format("; default {}", key.fallback));
  }
}

void print_rows(const std::vector<ListRow>& rows) {
  for (const ListRow& row : rows) {
    fmt::print("  {:<16} {}", row.name, row.help);
    std::vector<std::string> notes = row.notes;
    if (row.content) notes.push_back(type_of(row));
    if (!row.lacking.empty()) notes.insert(notes.begin() + 1, row.lacking);
    for (const std::string& note : notes) fmt::print(" [{}]", note);
    fmt::print("\n");
    print_keys(row.options);
  }
}

void print_plainly(const List& list) {
  fmt::print("{}\n", list.title);
  print_rows(list.rows);
  print_keys(list.keys);
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

/// Without bars, which would end the cell.
std::string allowed_words(const std::string& allowed) {
  std::string words = allowed;
  const std::string_view bar = " | ";
  if (words.find(' ') != words.npos && words.find(bar) == words.npos) return words;
  for (std::size_t at = 0; (at = words.find(bar, at)) != words.npos;) words.replace(at, 3, "`, `");
  return code(words);
}

std::string fallback_words(const ConfigKey& key) {
  if (key.fallback.empty()) return "must be given";
  return key.fallback.find(' ') == std::string::npos ? code(key.fallback) : key.fallback;
}

/// An option, of all rows that have it in the same way.
struct SharedOption {
  ConfigKey key;
  std::vector<std::string> owners;
  std::vector<std::string> fallbacks;  // of each
};

std::vector<SharedOption> shared_options(const std::vector<ListRow>& rows) {
  std::vector<SharedOption> all;
  for (const ListRow& row : rows) {
    for (const ConfigKey& key : row.options) {
      const auto same = std::ranges::find_if(all, [&](const SharedOption& other) {
        return other.key.name == key.name && other.key.allowed == key.allowed &&
               other.key.help == key.help;
      });
      SharedOption& option =
          same == all.end() ? all.emplace_back(SharedOption{key, {}, {}}) : *same;
      option.owners.push_back(code(row.name));
      option.fallbacks.push_back(fallback_words(key));
    }
  }
  return all;
}

/// One value where all rows have the same, otherwise each in the order of the rows.
std::string fallbacks(const SharedOption& option) {
  const auto& all = option.fallbacks;
  const bool same = std::ranges::count(all, all.front()) == std::ssize(all);
  return same ? all.front() : fmt::format("{}", fmt::join(all, ", "));
}

/// A table, but for columns that are empty in all rows.
void print_table(const std::vector<std::string>& headings,
                 const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> lines(rows.size() + 2, "|");
  for (std::size_t column = 0; column < headings.size(); ++column) {
    const auto empty = [column](const auto& row) { return row[column].empty(); };
    if (std::ranges::all_of(rows, empty)) continue;
    lines[0] += fmt::format(" {} |", headings[column]);
    lines[1] += "---|";
    for (std::size_t row = 0; row < rows.size(); ++row) {
      lines[row + 2] += fmt::format(" {} |", rows[row][column]);
    }
  }
  fmt::print("{}\n", fmt::join(lines, "\n"));
}

void print_as_markdown(const List& list) {
  std::vector<std::vector<std::string>> rows;
  for (const ListRow& row : list.rows) {
    rows.push_back({code(row.name), type_of(row), unit_in(row), row.help,
                    fmt::format("{}", fmt::join(row.notes, "; "))});
  }
  const auto has_help = [](const ListRow& row) { return !row.help.empty(); };
  const bool described = std::ranges::any_of(list.rows, has_help);
  if (described) print_table({list.noun, "type", "unit", "meaning", "notes"}, rows);
  rows.clear();
  for (const SharedOption& option : shared_options(list.rows)) {
    rows.push_back({code(option.key.name), fmt::format("{}", fmt::join(option.owners, ", ")),
                    fallbacks(option), allowed_words(option.key.allowed), option.key.help});
  }
  for (const ConfigKey& key : list.keys) {
    rows.push_back({code(key.name), "", fallback_words(key), allowed_words(key.allowed),
                    key.help + (key.list ? "; *list*" : "")});
  }
  if (rows.empty()) return;
  if (described) fmt::print("\n");
  print_table({list.keys.empty() ? "option" : "key", list.noun, "default", "allowed", "meaning"},
              rows);
}

std::string words_of(const std::vector<List>& lists) {
  std::vector<std::string_view> words;
  for (const List& list : lists) words.push_back(list.word);
  return fmt::format("{}", fmt::join(words, " | "));
}

List list_called(const std::string& word) {
  for (const auto& lists : {lists_of_choices(), lists_of_files()}) {
    const auto found = std::ranges::find(lists, word, &List::word);
    if (found != lists.end()) return *found;
  }
  std::vector<std::string> words;
  for (const auto& lists : {lists_of_choices(), lists_of_files()}) {
    for (const List& list : lists) words.push_back(list.word);
  }
  throw UserError(fmt::format("there is no list '{}'{}; allowed: {} | {}", one_line(word),
                              did_you_mean(word, words), words_of(lists_of_choices()),
                              words_of(lists_of_files())));
}

}  // namespace

std::string about_lists() {
  std::string text = "WORD names one list:\n";
  const auto add = [&](const std::vector<List>& lists) {
    for (const List& list : lists) text += fmt::format("  {:<16} {}\n", list.word, list.title);
  };
  add(lists_of_choices());
  text += "or one that is printed only where it is named:\n";
  add(lists_of_files());
  return text;
}

void print_lists(const std::string& word, const std::string& format) {
  std::vector<List> lists = word.empty() ? lists_of_choices() : std::vector{list_called(word)};
  if (format == "json") {
    if (word.empty()) std::ranges::move(lists_of_files(), std::back_inserter(lists));
    return print_out_text(as_json(lists));
  }
  for (const List& list : lists) {
    if (&list != &lists.front()) fmt::print("\n");
    if (format == "markdown") {
      print_as_markdown(list);
    } else {
      print_plainly(list);
    }
  }
}

namespace {

using Words = std::vector<std::string>;

void add_list(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "list", "List engines, balancers, strategies, workloads and walkers with their options");
  command->footer(about_lists);
  const auto word = std::make_shared<std::string>();
  const auto format = std::make_shared<std::string>("text");
  command->add_option("word", *word, "one list only");
  command
      ->add_option("--format", *format,
                   "text, markdown (tables) or json: without a word, of all that a word names")
      ->check(CLI::IsMember({"text", "markdown", "json"}));
  command->callback([=] { print_lists(*word, *format); });
}

/// The command that `words` lead to, beginning at `app`.
const CLI::App& command_called(const CLI::App& app, const Words& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    const CLI::App* inner = subcommand(*command, word);
    if (inner == nullptr) {
      const Words names = names_of_subcommands(*command);
      throw UserError(fmt::format("there is no subcommand '{}'{}; allowed: {}", one_line(word),
                                  did_you_mean(word, names), fmt::join(names, " | ")));
    }
    command = inner;
  }
  return *command;
}

void add_help(CLI::App& app) {
  CLI::App* command = app.add_subcommand("help", "Show what a subcommand does, and its options");
  const auto words = std::make_shared<Words>();
  command->add_option("command", *words, "its name [all of them]");
  command->callback([words, &app] {
    const CLI::App& asked = command_called(app, *words);
    const std::string name =
        fmt::format("{}{}{}", app.get_name(), words->empty() ? "" : " ", fmt::join(*words, " "));
    print_out_text(asked.get_formatter()->make_help(&asked, name, CLI::AppFormatMode::Normal));
  });
}

void add_man(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print a page of the manual, for man(1)");
  Words names;
  for (const ManPage& page : man_pages()) names.push_back(app.get_name() + page.name);
  command->footer(
      fmt::format("  {0} man | man -l -              this page by page\n"
                  "  {0} man {0}-config | man -l -    keys of configurations\n"
                  "  {0} man {0}-results | man -l -   columns of results\n",
                  app.get_name()));
  const auto name = std::make_shared<std::string>(names.front());
  command->add_option("page", *name, fmt::format("[{}]", names.front()))
      ->check(CLI::IsMember(names));
  command->callback([name, &app] {
    for (const ManPage& page : man_pages()) {
      if (app.get_name() + page.name == *name) print_out_text(man_page(page, app));
    }
  });
}

void add_completion(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that makes a shell complete what is typed");
  command->footer(
      fmt::format("  bash:  eval \"$({0} completion bash)\"          in ~/.bashrc\n"
                  "  zsh:   eval \"$({0} completion zsh)\"           in ~/.zshrc\n"
                  "  fish:  {0} completion fish | source           in config.fish\n"
                  "Subcommands, options and their words are completed, and behind "
                  "--set keys and what they may be.\n",
                  app.get_name()));
  const auto shell = std::make_shared<std::string>();
  const Words shells(std::begin(completed_shells), std::end(completed_shells));
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(shells));
  command->callback([shell, &app] { print_out_text(completion_script(*shell, app.get_name())); });
}

/// What the scripts ask; nobody types it.
void add_complete(CLI::App& app) {
  CLI::App* command = app.add_subcommand("complete", "What may stand next on a command line");
  command->group("");  // is in no list
  const auto words = std::make_shared<Words>();
  command->add_option("words", *words, "those of the line behind the program, the last one begun");
  command->callback([words, &app] {
    for (const Candidate& one : complete(app, *words)) {
      print_out("{}\t{}\n", one.word, one_line(one.help));
    }
  });
}

}  // namespace

void add_manual(CLI::App& app) {
  add_list(app);
  add_help(app);
  add_man(app);
  add_completion(app);
  add_complete(app);
}

}  // namespace regroup
