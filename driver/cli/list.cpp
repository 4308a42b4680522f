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
};

/// Rows, or else keys that stand for themselves.
struct List {
  std::string word;   ///< that names it on the command line
  std::string title;  ///< in plain text
  std::string noun;   ///< what one of its rows is
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

constexpr const char* not_on_simgrid = "unsupported by the engine simgrid";

std::vector<ListRow> strategy_rows(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const Strategy& strategy : catalog.strategies) {
    ListRow& row = rows.emplace_back(row_of(strategy));
    const bool parent = strategy.caller == Caller::parent;
    row.notes.push_back(fmt::format("{}-collective: {}", parent ? "parent" : "group",
                                    !strategy.serves_balancers()
                                        ? "can be measured, but not used by balancers"
                                    : parent ? "can be used by the balancer collective"
                                             : "can be used by all balancers"));
    if (strategy.make == nullptr) {
      row.notes.emplace_back("unsupported: the MPI library lacks the function");
    }
    if (!strategy.smpi) row.notes.emplace_back(not_on_simgrid);
  }
  return rows;
}

std::vector<ListRow> walker_rows(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const WalkerEntry& walker : catalog.walkers) {
    ListRow& row = rows.emplace_back(row_of(walker));
    if (!walker.quantities.empty()) {
      row.notes.push_back(fmt::format("observes {}", fmt::join(walker.quantities, ", ")));
    }
    if (walker.open_end)
      row.notes.emplace_back("ends by itself; unsupported by the engine virtual");
    if (!walker.smpi) row.notes.emplace_back(not_on_simgrid);
  }
  return rows;
}

/// The words of the options of measurements that have a meaning of their own, each once.
std::vector<ListRow> described_words(const Catalog& catalog) {
  std::vector<ListRow> rows;
  for (const MeasurementKind& kind : catalog.measurements) {
    for (const OptionSpec& spec : kind.options) {
      for (const DescribedWord& word : spec.described) {
        if (std::ranges::find(rows, word.name, &ListRow::name) != rows.end()) continue;
        rows.push_back({std::string(word.name),
                        std::string(word.help),
                        {fmt::format("{} of {}", spec.name, kind.name)}});
      }
    }
  }
  return rows;
}

/// The key `communicator` of each balancer, which is no option of its own.
List strategies_of_balancers(const Catalog& catalog) {
  List list{"communicators", "communicator strategies that each balancer can use", "balancer"};
  for (const BalancerEntry& balancer : catalog.balancers) {
    if (const auto key = communicator_key(balancer, catalog)) {
      list.rows.push_back({std::string(balancer.name), "", {}, {*key}});
    }
  }
  return list;
}

/// Parameters whose values are numbers, or words that no list has.
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

/// What can be chosen: what `regroup list` prints without a word.
std::vector<List> lists_of_choices(const Catalog& catalog) {
  return {
      {"engines", "engines", "engine", rows_of(catalog.engines)},
      {"balancers", "balancers", "balancer", rows_of(catalog.balancers)},
      {"strategies", "communicator strategies", "strategy", strategy_rows(catalog)},
      {"workloads", "workloads", "workload", rows_of(catalog.workloads)},
      {"wants", "distributions of the numbers of ranks that walkers want", "wants",
       rows_of(catalog.wants)},
      {"speedups", "speed-up models", "speed-up", rows_of(catalog.speedups)},
      {"walkers", "walkers", "walker", walker_rows(catalog)},
      {"costs", "cost models of virtual time", "cost model", rows_of(catalog.costs)},
      {"measurements", "kinds of measurement (values of the key 'measure')", "kind",
       rows_of(catalog.measurements)},
      {"words", "values of options of measurements", "word", described_words(catalog)},
      {"parameters",
       "plain parameters of a configuration (most may be lists)",
       "",
       {},
       plain_keys(catalog)},
  };
}

/// The keys of configurations and the columns of results.
std::vector<List> lists_of_files(const Catalog& catalog) {
  std::vector<List> lists{
      strategies_of_balancers(catalog),
      {"keys", "keys of a configuration of runs", "", {}, configuration_keys(catalog)}};
  for (const MeasurementKind& kind : catalog.measurements) {
    lists.push_back({std::string(kind.name),
                     fmt::format("keys of a configuration of measurements of {}", kind.name),
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
      "table.csv", "columns of 'regroup table --format csv' (and json) for runs", table_columns()));
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
    if (!row.type.empty()) notes.push_back(row.type);
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
    rows.push_back({code(row.name), row.type.empty() ? "" : allowed_words(row.type), row.help,
                    fmt::format("{}", fmt::join(row.notes, "; "))});
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
                    key.help + (key.list ? "; *list*" : "")});
  }
  if (rows.empty()) return;
  if (described) fmt::print("\n");
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
  std::string text = "WORD names one list:\n";
  const auto add = [&](const std::vector<List>& lists) {
    for (const List& list : lists) text += fmt::format("  {:<16} {}\n", list.word, list.title);
  };
  add(lists_of_choices(catalog));
  text += "or one of these lists, which are printed only by name:\n";
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
    if (&list != &lists.front()) fmt::print("\n");
    if (format == "markdown") {
      print_as_markdown(list);
    } else {
      print_plainly(list);
    }
  }
}

}  // namespace regroup
