// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// A page of the manual, for man(1): of the command itself, of configurations, or of results.
struct ManPage {
  std::string name;  ///< after that of the program: "", "-config", "-results"
  int section;
  std::string_view help;
};
const std::vector<ManPage>& man_pages();

/// The page in roff's macros "man". What it says of options comes from `app`, the rest from the
/// lists that `list` prints.
std::string man_page(const ManPage& page, const CLI::App& app);

}  // namespace regroup
