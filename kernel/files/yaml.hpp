// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/text/plain_text.hpp"

namespace regroup {

struct ConfigPair;

/// A node of a YAML document, with its line.
struct ConfigNode {
  enum class Kind { scalar, list, map };

  Kind kind = Kind::scalar;
  int line = 1;                   ///< counted from 1
  std::string text;               ///< of a scalar; empty if it is null
  std::vector<ConfigNode> items;  ///< of a list
  std::vector<ConfigPair> pairs;  ///< of a map, duplicates included
};

/// Limits of a YAML text with expanded aliases. Defaults are those of a configuration.
struct YamlLimits {
  std::size_t bytes = 1'000'000;
  std::size_t nodes = 10'000;
  int levels = 64;

  /// Returns limits for a text of any length, such as results. They grow with the text, so aliases
  /// may add as much as in a configuration.
  static YamlLimits of_text(std::string_view text) {
    YamlLimits limits;
    limits.bytes += text.size();
    limits.nodes += text.size() / 2;
    return limits;
  }
};

/// Parses the documents in `text`, the content of `path`. Throws UserError with file and line if it
/// is not YAML or exceeds `limits`.
std::vector<ConfigNode> parse_yaml(std::string_view text, const std::string& path,
                                   const YamlLimits& limits);

struct ConfigPair {
  ConfigNode first;
  ConfigNode second;
};

/// Reads `path`, plain text in UTF-8 of at most `most_bytes` bytes, without its byte order mark.
/// Throws UserError if it is anything else. `what`: name in messages ("a configuration").
std::string read_plain_text(const std::string& path, std::size_t most_bytes, std::string_view what);

/// Same for a `text` that has been read from `path`.
std::string plain_text(std::string text, const std::string& path);

}  // namespace regroup
