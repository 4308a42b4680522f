// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace regroup {

/// A column of a file of results, as those know it who read the file.
struct ResultColumn {
  std::string name;  ///< with its unit
  std::string help;
};

inline std::vector<std::string> names_of(const std::vector<ResultColumn>& columns) {
  std::vector<std::string> names;
  for (const ResultColumn& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace regroup
