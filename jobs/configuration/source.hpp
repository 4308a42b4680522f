// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/files/yaml.hpp"

namespace regroup {

/// A configuration: a file, or what was in the file.
///
/// With `changes`, "KEY=VALUE", keys have other values than in the file. VALUE is YAML on one line,
/// as it would stand behind the key. What the file does not have is added at its end; other keys
/// keep their lines and comments, so what comes out is a whole configuration.
struct ConfigSource {
  ConfigSource(std::string file, std::vector<std::string> other = {})
      : path(std::move(file)), changes(std::move(other)) {}
  ConfigSource(std::string file, std::string content)
      : path(std::move(file)), text(std::move(content)) {}

  std::string path;
  std::optional<std::string> text;   ///< nothing: what is in the file now
  std::vector<std::string> changes;  ///< made to it
};

/// What a configuration says, as plain text. Throws UserError with file and line where it is no
/// plain text, larger than a configuration can be, or where a change is none or cannot be made.
std::string text_of(const ConfigSource& source);

/// The YAML document that `text` from `path` is. Throws UserError with file and line.
ConfigNode config_root(const std::string& text, const std::string& path);

}  // namespace regroup
