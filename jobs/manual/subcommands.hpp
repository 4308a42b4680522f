// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace regroup {

/// The subcommands of `command` that are to be seen, in their order.
inline std::vector<const CLI::App*> subcommands_of(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

inline std::vector<std::string> names_of_subcommands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* one : subcommands_of(command)) names.push_back(one->get_name());
  return names;
}

/// That of this name, or nullptr.
inline const CLI::App* subcommand(const CLI::App& command, std::string_view name) {
  for (const CLI::App* one : subcommands_of(command)) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

}  // namespace regroup
