// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernel/user_error.hpp"

namespace regroup {

/// A configuration as a tree of scalars, lists and maps in which everything knows its line.
struct ConfigNode {
  enum class Kind { scalar, list, map };

  Kind kind = Kind::scalar;
  int line = 1;                                          ///< counted from 1
  std::string text;                                      ///< of a scalar; empty where none is given
  std::vector<ConfigNode> items;                         ///< of a list
  std::vector<std::pair<ConfigNode, ConfigNode>> pairs;  ///< of a map, duplicates included
};

/// Reads the YAML file `path`. Throws UserError with file and line where it is no YAML.
ConfigNode read_config_file(const std::string& path);

}  // namespace regroup
