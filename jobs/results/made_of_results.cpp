// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/made_of_results.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace regroup {

std::vector<std::string> made_of_results(const std::string& directory) {
  constexpr std::array<std::string_view, 4> endings{".html", ".pdf", ".png", ".svg"};
  std::vector<std::string> names;
  std::error_code nothing_there;
  for (const auto& entry : std::filesystem::directory_iterator(directory, nothing_there)) {
    const std::string name = entry.path().filename();
    const std::string ending = entry.path().extension();
    if (name == "table.txt" || std::ranges::count(endings, ending) > 0) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace regroup
