// SPDX-License-Identifier: BSD-3-Clause
//
// The one file that includes yaml-cpp.
#include "jobs/config_node.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>

namespace regroup {
namespace {

/// `line`: where an empty node is looked for; it has no place of its own.
ConfigNode converted(const YAML::Node& node, int line) {
  ConfigNode result;
  result.line = node.IsNull() ? line : node.Mark().line + 1;
  if (node.IsScalar()) {
    result.text = node.Scalar();
  } else if (node.IsSequence()) {
    result.kind = ConfigNode::Kind::list;
    for (const YAML::Node& item : node) result.items.push_back(converted(item, result.line));
  } else if (node.IsMap()) {
    result.kind = ConfigNode::Kind::map;
    for (const auto& pair : node) {
      const ConfigNode key = converted(pair.first, result.line);
      result.pairs.emplace_back(key, converted(pair.second, key.line));
    }
  }
  return result;
}

}  // namespace

ConfigNode read_config_file(const std::string& path) {
  std::error_code unknown;
  const bool directory = std::filesystem::is_directory(path, unknown);
  try {
    if (directory) throw YAML::BadFile(path);
    const std::vector<YAML::Node> documents = YAML::LoadAllFromFile(path);
    if (documents.size() > 1) {
      throw UserError(fmt::format("{}:{}: a second YAML document begins; give one configuration",
                                  path, documents[1].Mark().line + 1));
    }
    return converted(documents.empty() ? YAML::Node() : documents.front(), 1);
  } catch (const YAML::BadFile&) {
    throw UserError(fmt::format("{}: cannot be read; give the path of a YAML file", path));
  } catch (const YAML::Exception& error) {
    throw UserError(fmt::format("{}:{}: no YAML: {}", path, error.mark.line + 1, error.msg));
  }
}

}  // namespace regroup
