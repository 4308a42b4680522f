// SPDX-License-Identifier: BSD-3-Clause
//
// What the program tells about itself: its plug-ins, the keys of configurations and the columns of
// results. `regroup list` prints it, and tables of the documentation are made from it.
#pragma once

#include <string>

#include "regroup/catalog.hpp"

namespace regroup {

/// All lists of plug-ins and all parameters, with their options; with a `word`, the one list that
/// it names. `format`: text, markdown (tables) or json, which without a word also has the keys of
/// configurations and the columns of results. Throws UserError for another word.
void print_lists(const std::string& word, const std::string& format, const Catalog& catalog);

/// Which words there are.
std::string about_lists(const Catalog& catalog);

}  // namespace regroup
