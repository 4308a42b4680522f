// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/files/schema.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "kernel/files/files.hpp"
#include "kernel/files/yaml.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {

void check_schema(const std::string& directory) {
  const std::string path = std::filesystem::path(directory) / "provenance.yaml";
  const auto text = read_file(path);
  if (!text) return;
  for (const ConfigNode& document : parse_yaml(*text, path, YamlLimits::of_text(*text))) {
    std::map<std::string, std::string> values;
    for (const auto& [key, value] : document.pairs) values[key.text] = value.text;
    if (values["schema"] == std::to_string(schema)) continue;
    throw UserError(fmt::format(
        "{}:{}: these results have schema {}, but this version of regroup reads schema {}; use the "
        "version that wrote them (commit {}), or run the tasks again",
        path, document.line, one_line(values["schema"]), schema, one_line(values["commit"])));
  }
}

}  // namespace regroup
