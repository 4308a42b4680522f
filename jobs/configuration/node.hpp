// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "kernel/files/yaml.hpp"

namespace regroup {

/// A configuration: a file, or what was in the file.
struct ConfigSource {
  ConfigSource(std::string file) : path(std::move(file)) {}
  ConfigSource(std::string file, std::string content)
      : path(std::move(file)), text(std::move(content)) {}

  std::string path;
  std::optional<std::string> text;  ///< nothing: what is in the file now
};

/// Reads a YAML file. Throws UserError with file and line where it is no YAML, no plain text or
/// larger than a configuration can be.
ConfigNode read_config_file(const ConfigSource& source);

}  // namespace regroup
