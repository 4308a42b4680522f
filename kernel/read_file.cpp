// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/read_file.hpp"

#include <fstream>
#include <sstream>

namespace regroup {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return std::nullopt;
  return text.str();
}

}  // namespace regroup
