// SPDX-License-Identifier: BSD-3-Clause
//
// The one file that includes yaml-cpp.
#include "jobs/config_node.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace regroup {
namespace {

ConfigNode converted(const YAML::Node& node) {
  ConfigNode result;
  result.line = node.Mark().line + 1;
  if (node.IsScalar()) {
    result.text = node.Scalar();
  } else if (node.IsSequence()) {
    result.kind = ConfigNode::Kind::list;
    for (const YAML::Node& item : node) result.items.push_back(converted(item));
  } else if (node.IsMap()) {
    result.kind = ConfigNode::Kind::map;
    for (const auto& pair : node) {
      result.pairs.emplace_back(converted(pair.first), converted(pair.second));
    }
  }
  return result;
}

}  // namespace

ConfigNode read_config_file(const std::string& path) {
  try {
    return converted(YAML::LoadFile(path));
  } catch (const YAML::BadFile&) {
    throw UserError(fmt::format("{}: cannot be read; give the path of a YAML file", path));
  } catch (const YAML::Exception& error) {
    throw UserError(fmt::format("{}:{}: no YAML: {}", path, error.mark.line + 1, error.msg));
  }
}

}  // namespace regroup
