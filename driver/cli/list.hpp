// SPDX-License-Identifier: BSD-3-Clause
//
// What the program can tell about itself: its plug-ins, the keys of configurations and the columns
// of results. `regroup list` prints it, and the tables of the documentation are made from it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/config/reader.hpp"
#include "driver/store/columns.hpp"

namespace regroup {

/// A row of a list: a plug-in, or a column.
struct ListRow {
  std::string name;
  std::string help;
  std::vector<std::string> notes = {};
  std::vector<ConfigKey> options = {};
  std::string lacking = {};  ///< what the MPI library that this was built with lacks for it
  std::optional<Content> content = {};  ///< of a column
};

/// Rows, or else keys that stand for themselves.
struct List {
  std::string word;   ///< that names it on the command line
  std::string title;  ///< in plain text
  std::string noun;   ///< what one of its rows is
  std::vector<ListRow> rows = {};
  std::vector<ConfigKey> keys = {};
};

/// What can be chosen: what `regroup list` prints without a word.
std::vector<List> lists_of_choices();

/// The keys of configurations and the columns of results.
std::vector<List> lists_of_files();

/// `lists` as JSON, with the schema.
std::string as_json(const std::vector<List>& lists);

// What the command tells of itself: `list`, `help`, `man` and `completion`.

/// Adds these subcommands to `app`, which has all the others. Call last.
void add_manual(CLI::App& app);

/// All lists of plug-ins and all parameters, with their options; with a `word`, the one list that
/// it names. `format`: text, markdown (tables) or json, which has, without a word, the keys of
/// configurations and the columns of results, too.
void print_lists(const std::string& word, const std::string& format);
std::string about_lists();  ///< which words there are

/// What is wrong with the command line of `app`, whose parsing ended with `error`: of a word that
/// it does not know, also which one was probably meant.
std::string mistake(const CLI::App& app, const CLI::Error& error);

/// The subcommands of `command` that are to be seen, in their order.
inline std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

inline std::vector<std::string> names_of_subcommands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : subcommands_of(command)) names.push_back(one->get_name());
  return names;
}

/// That of this name, or nullptr.
inline const CLI::App* subcommand(const CLI::App& command, std::string_view name) {
  for (const CLI::App* one : subcommands_of(command)) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

}  // namespace regroup
