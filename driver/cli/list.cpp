// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "driver/cli/commands.hpp"
#include "driver/config/experiment.hpp"
#include "driver/config/reader.hpp"
#include "driver/store/run_files.hpp"
#include "driver/store/table.hpp"
#include "kernel/files/schema.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/terminal.hpp"

namespace regroup {
namespace {

/// A row of a list: a plug-in, or a column.
struct ListRow {
  std::string name;
  std::string help;
  std::vector<std::string> notes = {};
  std::vector<ConfigKey> options = {};
  std::string type = {};  ///< of a column
  std::string part = {};  ///< heading of the part of the list that contains the row
};

/// Either rows or keys.
struct List {
  std::string word;   ///< its name on the command line
  std::string title;  ///< in plain text
  std::string noun;   ///< noun for one of its rows
  std::vector<ListRow> rows = {};
  std::vector<ConfigKey> keys = {};
};

ListRow row_of(const auto& row) {
  ListRow one{std::string(row.name), std::string(row.help)};
  if constexpr (requires { row.options; }) {
    for (const OptionSpec& spec : row.options) one.options.push_back(ConfigKey::of(spec, false));
  }
  return one;
}

template <class Rows>
std::vector<ListRow> rows_of(const Rows& rows) {
  std::vector<ListRow> all;
  for (const auto& row : rows) {
    if constexpr (requires { row->name; }) {
      all.push_back(row_of(*row));
    } else {
      all.push_back(row_of(row));
    }
  }
  return all;
}

constexpr const char* not_on_simgrid = "unsupported by the engine `simgrid`";

std::vector<ListRow> strategy_rows(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const Strategy& strategy : catalog.strategies) {
    ListRow& row = rows.emplace_back(row_of(strategy));
    const bool parent = strategy.caller == Caller::parent;
    row.notes.emplace_back(parent ? "parent-collective (called by all ranks of the parent)"
                                  : "group-collective (called by the members only)");
    row.notes.emplace_back(!strategy.serves_balancers() ? "for measurements, not for balancers"
                           : parent ? "for the balancer `collective` and for measurements"
                                    : "for all balancers and for measurements");
    if (strategy.make == nullptr) row.notes.emplace_back("unsupported by this MPI library");
    if (!strategy.smpi) row.notes.emplace_back(not_on_simgrid);
  }
  return rows;
}

std::vector<ListRow> walker_rows(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const WalkerEntry& walker : catalog.walkers) {
    ListRow& row = rows.emplace_back(row_of(walker));
    // As in Stan, names that end with __ are those of quantities of the sampler.
    const auto add = [&](std::string_view what, bool of_sampler) {
      std::vector<std::string_view> names(walker.quantities.begin(), walker.quantities.end());
      std::erase_if(names, [&](auto name) { return name.ends_with("__") != of_sampler; });
      if (!names.empty()) row.notes.push_back(fmt::format("{} {}", what, fmt::join(names, ", ")));
    };
    add("observes", false);
    add("diagnostics of the sampler:", true);
    if (walker.open_end) {
      row.notes.emplace_back(
          "unsupported by the engine `virtual`, because the walker ends by itself");
    }
    if (!walker.smpi) row.notes.emplace_back(not_on_simgrid);
  }
  return rows;
}

/// Returns the values of measurements' options that have a description, each once.
std::vector<ListRow> described_words(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const MeasurementKind& kind : catalog.measurements) {
    for (const OptionSpec& spec : kind.options) {
      for (const DescribedWord& word : spec.described) {
        if (std::ranges::find(rows, word.name, &ListRow::name) != rows.end()) continue;
        ListRow& row = rows.emplace_back(row_of(word));
        row.part = fmt::format("values of `{}` with `measure: {}`", spec.name, kind.name);
      }
    }
  }
  return rows;
}

/// Returns the key `communicator` of each balancer, which is not among the balancer's options.
List strategies_of_balancers(const Catalog& catalog) {
  List list{"communicators", "communicator strategies that each balancer can use", "balancer"};
  for (const BalancerEntry& balancer : catalog.balancers) {
    if (const auto key = communicator_key(balancer, catalog)) {
      list.rows.push_back({std::string(balancer.name), "", {}, {*key}});
    }
  }
  return list;
}

/// Returns the parameters whose values are numbers, or words that are in no list.
std::vector<ConfigKey> plain_keys(const Catalog& catalog) {
  std::vector<ConfigKey> keys = configuration_keys(catalog);
  std::erase_if(keys, [](const ConfigKey& key) {
    return std::ranges::none_of(parameters(), [&](const Parameter& parameter) {
      return parameter.list == nullptr && parameter.spec.name == key.name;
    });
  });
  return keys;
}

template <class Columns>
List list_of_columns(const std::string& word, const std::string& title, const Columns& columns) {
  List list{word, title, "column"};
  for (const ColumnHelp& column : columns) {
    list.rows.push_back({column.name, column.help, {}, {}, column.type});
  }
  return list;
}

/// Returns the lists that `regroup list` prints without a word: all that can be chosen.
std::vector<List> lists_of_choices(const Catalog& catalog) {
  return {
      {"engines", "engines", "engine", rows_of(catalog.engines)},
      {"balancers", "balancers", "balancer", rows_of(catalog.balancers)},
      {"strategies", "communicator strategies", "strategy", strategy_rows(catalog)},
      {"workloads", "workloads", "workload", rows_of(catalog.workloads)},
      {"wants", "how many ranks each walker wants, for the balancer `batch`", "wants",
       rows_of(catalog.wants)},
      {"speedups", "speed-up models", "speed-up", rows_of(catalog.speedups)},
      {"walkers", "walkers", "walker", walker_rows(catalog)},
      {"costs", "cost models of virtual time", "cost model", rows_of(catalog.costs)},
      {"measurements", "kinds of measurement (values of the key `measure`)", "kind",
       rows_of(catalog.measurements)},
      {"words", "values of keys of measurements, with their meanings", "word",
       described_words(catalog)},
      {"parameters",
       "keys with plain values, most of them also with lists of values",
       "",
       {},
       plain_keys(catalog)},
  };
}

/// Returns the keys of configurations and the columns of results.
std::vector<List> lists_of_files(const Catalog& catalog) {
  std::vector<List> lists{
      strategies_of_balancers(catalog),
      {"keys", "all keys of a configuration of runs", "", {}, configuration_keys(catalog)}};
  for (const MeasurementKind& kind : catalog.measurements) {
    lists.push_back({std::string(kind.name),
                     fmt::format("all keys of a configuration with `measure: {}`", kind.name),
                     "",
                     {},
                     configuration_keys(catalog, &kind)});
  }
  for (const MeasurementKind* kind : kinds_of_results(catalog)) {
    for (const TableFile& file : files_of(kind, catalog)) {
      if (std::ranges::find(lists, file.name, &List::word) != lists.end()) continue;
      lists.push_back(
          list_of_columns(file.name, fmt::format("columns of {}", file.name), file.columns));
    }
  }
  lists.push_back(list_of_columns(
      "table.csv", "columns of `regroup table --format csv` (and json) for runs", table_columns()));
  return lists;
}

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

Json json_of(const ListRow& row) {
  Json json{{"name", row.name}};
  if (!row.type.empty()) json["type"] = row.type;
  json["meaning"] = row.help;
  if (!row.part.empty()) json["part"] = row.part;
  if (!row.notes.empty()) json["notes"] = row.notes;
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

std::string as_json(const std::vector<List>& lists) {
  return Json{{"schema", schema}, {"lists", list_of(lists)}}.dump(1) + "\n";
}

constexpr std::size_t line_width = 80;
constexpr std::size_t help_column = 24;
constexpr std::size_t note_column = help_column + 2;

/// Prints a name at column `indent`, its meaning beside it or below, and then each of `notes`.
void print_entry(std::size_t indent, std::string_view name, std::string_view help,
                 const std::vector<std::string>& notes) {
  const std::string title = std::string(indent, ' ') + std::string(name);
  const bool below = title.size() + 2 > help_column;
  std::string lines = below ? title + "\n" : title;
  const auto add = [&lines](std::string_view text, std::size_t begin, std::size_t used) {
    if (text.empty()) return;
    lines += std::string(begin - used, ' ') + folded(text, line_width, begin, begin) + '\n';
  };
  add(help, help_column, below ? 0 : title.size());
  if (help.empty() && !below) lines += '\n';
  for (const std::string& note : notes) add(note, note_column, 0);
  print_out_text(lines);
}

/// Returns "integer from 1 to 10, default 2"; in two lines if both together are too long.
std::vector<std::string> value_words(const ConfigKey& key, const Catalog& catalog) {
  const bool any_strategy = key.allowed == names(entries_of(catalog.strategies));
  const std::string allowed = any_strategy ? "a name from the list `strategies`" : key.allowed;
  const bool value = key.fallback.find(' ') == std::string::npos;
  const std::string fallback =
      key.fallback.empty() ? "required"
                           : fmt::format("{} {}", value ? "default" : "by default", key.fallback);
  const std::string both = fmt::format("{}, {}", allowed, fallback);
  if (width_of(both) <= line_width - note_column) return {both};
  return {allowed, fallback};
}

void print_keys(const std::vector<ConfigKey>& keys, std::size_t indent, const Catalog& catalog) {
  for (const ConfigKey& key : keys) {
    print_entry(indent, key.name, key.help, value_words(key, catalog));
  }
}

void print_plainly(const List& list, const Catalog& catalog) {
  constexpr std::size_t indent = 2;
  print_out("{}\n", list.title);
  const ListRow* last = nullptr;
  for (const ListRow& row : list.rows) {
    if (last != nullptr && !(row.options.empty() && last->options.empty())) print_out("\n");
    if (!row.part.empty() && (last == nullptr || row.part != last->part)) {
      print_out("\n  {}\n", row.part);
    }
    std::vector<std::string> notes = row.notes;
    if (!row.type.empty()) notes.push_back(row.type);
    print_entry(row.part.empty() ? indent : 2 * indent, row.name, row.help, notes);
    print_keys(row.options, 2 * indent, catalog);
    last = &row;
  }
  print_keys(list.keys, indent, catalog);
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

/// Returns the words without bars, which would end the cell.
std::string allowed_words(const std::string& allowed) {
  std::string words = allowed;
  const std::string_view bar = " | ";
  if (words.find(' ') != words.npos && words.find(bar) == words.npos) return words;
  for (std::size_t at = 0; (at = words.find(bar, at)) != words.npos;) words.replace(at, 3, "`, `");
  return code(words);
}

std::string fallback_words(const ConfigKey& key) {
  if (key.fallback.empty()) return "required";
  return key.fallback.find(' ') == std::string::npos ? code(key.fallback) : key.fallback;
}

/// An option that rows have with the same values and the same meaning.
struct SharedOption {
  ConfigKey key;
  std::vector<std::string> owners;
  std::vector<std::string> fallbacks;  // of each owner
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

/// Returns the default if all rows have the same, otherwise all in the order of the rows.
std::string fallbacks(const SharedOption& option) {
  const auto& all = option.fallbacks;
  const bool same = std::ranges::count(all, all.front()) == std::ssize(all);
  return same ? all.front() : fmt::format("{}", fmt::join(all, ", "));
}

/// Prints a table without the columns that are empty in all rows.
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
  print_out("{}\n", fmt::join(lines, "\n"));
}

void print_as_markdown(const List& list) {
  std::vector<std::vector<std::string>> rows;
  for (const ListRow& row : list.rows) {
    rows.push_back({code(row.name), row.type.empty() ? "" : allowed_words(row.type), row.help,
                    row.part + fmt::format("{}", fmt::join(row.notes, "; "))});
  }
  const auto has_help = [](const ListRow& row) { return !row.help.empty(); };
  const bool described = std::ranges::any_of(list.rows, has_help);
  if (described) print_table({list.noun, "type", "meaning", "notes"}, rows);
  rows.clear();
  for (const SharedOption& option : shared_options(list.rows)) {
    rows.push_back({code(option.key.name), fmt::format("{}", fmt::join(option.owners, ", ")),
                    fallbacks(option), allowed_words(option.key.allowed), option.key.help});
  }
  for (const ConfigKey& key : list.keys) {
    rows.push_back({code(key.name), "", fallback_words(key), allowed_words(key.allowed),
                    key.help + (!key.list                 ? ""
                                : key.help.ends_with('.') ? " *list*"
                                                          : "; *list*")});
  }
  if (rows.empty()) return;
  if (described) print_out("\n");
  print_table({list.keys.empty() ? "option" : "key", list.noun, "default", "allowed", "meaning"},
              rows);
}

List list_called(const std::string& word, const Catalog& catalog) {
  std::vector<std::string> words;
  for (const auto& lists : {lists_of_choices(catalog), lists_of_files(catalog)}) {
    for (const List& list : lists) {
      if (list.word == word) return list;
      words.push_back(list.word);
    }
  }
  throw UserError(fmt::format("there is no list '{}'{}; allowed: {}", one_line(word),
                              did_you_mean(word, words), fmt::join(words, " | ")));
}

}  // namespace

std::string describe_lists(const Catalog& catalog) {
  std::string text = "WORD is the name of a list. Without it, these lists are printed:\n";
  const auto add = [&](const std::vector<List>& lists) {
    for (const List& list : lists) text += fmt::format("  {:<16} {}\n", list.word, list.title);
  };
  add(lists_of_choices(catalog));
  text += "Other lists:\n";
  add(lists_of_files(catalog));
  return text;
}

void print_lists(const std::string& word, const std::string& format, const Catalog& catalog) {
  std::vector<List> lists =
      word.empty() ? lists_of_choices(catalog) : std::vector{list_called(word, catalog)};
  if (format == "json") {
    if (word.empty()) std::ranges::move(lists_of_files(catalog), std::back_inserter(lists));
    return print_out_text(as_json(lists));
  }
  for (const List& list : lists) {
    if (&list != &lists.front()) print_out("\n");
    if (format == "markdown") {
      print_as_markdown(list);
    } else {
      print_plainly(list, catalog);
    }
  }
}

}  // namespace regroup
