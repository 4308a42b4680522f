// SPDX-License-Identifier: BSD-3-Clause
//
// What the command tells of itself: `list`, `help`, `man` and `completion`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace regroup {

/// Adds these subcommands to `app`, which has all the others. Call last.
void add_manual(CLI::App& app);

/// All lists of plug-ins and all parameters, with their options; with a `word`, the one list that
/// it names. `format`: text, markdown (tables) or json, which has, without a word, the keys of
/// configurations and the columns of results, too.
void print_lists(const std::string& word, const std::string& format);
std::string about_lists();  ///< which words there are

}  // namespace regroup
