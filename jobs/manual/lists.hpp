// SPDX-License-Identifier: BSD-3-Clause
//
// What the program can tell about itself: its plug-ins, the keys of configurations and the columns
// of results. `regroup list` prints it, and the tables of the documentation are made from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/configuration/reader.hpp"
#include "jobs/records/content.hpp"

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

}  // namespace regroup
