// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "driver/cli/list.hpp"
#include "kernel/text/did_you_mean.hpp"

namespace regroup {
namespace {

/// The command that the user came to: the innermost one that was named.
const CLI::App& named(const CLI::App& app) {
  const auto inner = app.get_subcommands();
  return inner.empty() ? app : named(*inner.front());
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string mistake(const CLI::App& app, const CLI::Error& error) {
  const std::vector<std::string> words = app.remaining(true);
  // The library's errors of words that are too many do not have their own name.
  const int code = error.get_exit_code();
  const bool unknown = code == static_cast<int>(CLI::ExitCodes::ExtrasError) ||
                       code == static_cast<int>(CLI::ExitCodes::RequiredError);
  if (!unknown || words.empty()) return error.what();
  const CLI::App& command = named(app);
  const std::string word = words.front().substr(0, words.front().find('='));
  if (word.starts_with("-")) {
    return fmt::format("there is no option '{}'{}", word, did_you_mean(word, options_of(command)));
  }
  const std::vector<std::string> known = names_of_subcommands(command);
  if (known.empty()) return error.what();
  return fmt::format("there is no subcommand '{}'{}", word, did_you_mean(word, known));
}

}  // namespace regroup
