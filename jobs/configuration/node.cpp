// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/node.hpp"

#include <fmt/format.h>

#include "kernel/files/user_error.hpp"

namespace regroup {

ConfigNode read_config_file(const ConfigSource& source) {
  const std::string& path = source.path;
  const std::string text =
      source.text ? plain_text(*source.text, path)
                  : read_plain_text(path, YamlLimits().bytes, "a configuration (a YAML file)");
  std::vector<ConfigNode> documents = parse_yaml(text, path, {});
  if (documents.size() > 1) {
    throw UserError(fmt::format("{}:{}: a second YAML document begins; give one configuration",
                                path, documents[1].line));
  }
  return documents.empty() ? ConfigNode() : std::move(documents.front());
}

}  // namespace regroup
