// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/manual/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "jobs/catalog/catalog.hpp"
#include "jobs/configuration/experiment_reader.hpp"
#include "jobs/manual/lists.hpp"
#include "jobs/manual/subcommands.hpp"

namespace regroup {
namespace {

using Words = std::vector<std::string>;
using Candidates = std::vector<Candidate>;

/// "text", "json" of "TEXT:{text,json}", as the library tells what an option allows.
Words choices_in(const std::string& type) {
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}', begin);
  Words words;
  if (begin == type.npos || end == type.npos) return words;
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

Candidates plainly(const Words& words) {
  Candidates candidates;
  for (const std::string& word : words) candidates.push_back({word, ""});
  return candidates;
}

Candidates subcommands(const CLI::App& command) {
  Candidates candidates;
  for (const CLI::App* one : subcommands_of(command)) {
    candidates.push_back({one->get_name(), one->get_description()});
  }
  return candidates;
}

Candidates options(const CLI::App& command) {
  Candidates candidates;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      candidates.push_back({"--" + name, option->get_description()});
    }
  }
  return candidates;
}

/// The words that a key may have as its value, if it is words that it takes.
Candidates values(const ConfigKey& key) {
  for (const List& list : lists_of_choices()) {
    const bool rows = list.word == key.name || list.noun == key.name ||
                      (key.name == "communicator" && list.word == "strategies");
    if (!rows || list.rows.empty()) continue;
    Candidates candidates;
    for (const ListRow& row : list.rows) candidates.push_back({row.name, row.help});
    return candidates;
  }
  if (key.allowed.find(" | ") == std::string::npos) return {};
  Words words = CLI::detail::split(key.allowed, '|');
  for (std::string& word : words) CLI::detail::trim(word);
  return plainly(words);
}

/// Behind --set: keys, and behind one the words that are its values; in a list those of the last.
Candidates changes(const CLI::App& command, const std::string& begun) {
  const MeasurementKind* kind = find_entry(standard_catalog().measurements, command.get_name());
  const std::vector<ConfigKey> keys = configuration_keys(kind);
  Candidates candidates;
  const std::size_t sign = begun.find('=');
  if (sign == begun.npos) {
    for (const ConfigKey& key : keys) candidates.push_back({key.name + "=", key.help});
    return candidates;
  }
  const auto key = std::ranges::find(keys, begun.substr(0, sign), &ConfigKey::name);
  if (key == keys.end()) return candidates;
  const std::size_t last = begun.find_last_of("=[, ");
  candidates = values(*key);
  for (Candidate& one : candidates) one.word = begun.substr(0, last + 1) + one.word;
  return candidates;
}

/// The option of `command` that `word` names and that wants a value.
const CLI::Option* valued_option(const CLI::App& command, const std::string& word) {
  if (!word.starts_with("--")) return nullptr;
  const auto options = command.get_options(
      [&](const CLI::Option* option) { return option->check_lname(word.substr(2)); });
  return options.empty() || options.front()->get_expected_max() == 0 ? nullptr : options.front();
}

/// What stands at the end of a command line without an option before it.
Candidates positional(const CLI::App& command) {
  if (command.get_name() == "list") {
    Candidates candidates;
    for (const auto& lists : {lists_of_choices(), lists_of_files()}) {
      for (const List& list : lists) candidates.push_back({list.word, list.title});
    }
    return candidates;
  }
  if (command.get_name() == "help") return subcommands(*command.get_parent());
  if (command.get_name() == "check") {
    Candidates candidates;
    for (const BalancerEntry& one : standard_catalog().balancers) {
      candidates.push_back({std::string(one.name), std::string(one.help)});
    }
    return candidates;
  }
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) return plainly(choices_in(option->get_type_name()));
  }
  return {};
}

}  // namespace

std::vector<Candidate> complete(const CLI::App& app, const Words& words) {
  const CLI::App* command = &app;
  const CLI::Option* valued = nullptr;
  std::string begun = words.empty() ? "" : words.back();
  if (begun.starts_with('\'') || begun.starts_with('"')) begun.erase(0, 1);  // still open
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool value = valued != nullptr;
    valued = value ? nullptr : valued_option(*command, words[i]);
    if (value || words[i].starts_with("-")) continue;
    if (const CLI::App* inner = subcommand(*command, words[i])) command = inner;
  }
  Candidates candidates;
  if (valued != nullptr) {
    candidates = valued->check_lname("set") ? changes(*command, begun)
                                            : plainly(choices_in(valued->get_type_name()));
  } else if (begun.starts_with("-")) {
    candidates = options(*command);
  } else {
    candidates = subcommands(*command);
    if (candidates.empty()) candidates = positional(*command);
  }
  std::erase_if(candidates, [&](const Candidate& one) { return !one.word.starts_with(begun); });
  return candidates;
}

std::string completion_script(std::string_view shell, const std::string& program) {
  // The program is asked as it stands in the command line: there may be several.
  constexpr std::string_view bash =
      "_{0}() {{\n"
      "  local line=${{COMP_LINE:0:COMP_POINT}} begun words candidate behind\n"
      "  read -ra words <<<\"$line\"\n"
      "  [[ $line == *[[:space:]] ]] && words+=('')\n"
      "  begun=${{words[-1]}}\n"
      "  behind=${{begun%\"${{begun##*=}}\"}}  # bash completes what stands behind the last '='\n"
      "  [[ $begun == [\\\"\\']* ]] && behind=''\n"
      "  COMPREPLY=()\n"
      "  while IFS=$'\\t' read -r candidate _; do\n"
      "    COMPREPLY+=(\"${{candidate#\"$behind\"}}\")\n"
      "  done < <(\"${{words[0]}}\" complete -- \"${{words[@]:1}}\" 2>/dev/null)\n"
      "  [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace\n"
      "  return 0\n"
      "}}\n"
      "complete -o default -F _{0} {0}\n";
  constexpr std::string_view zsh =
      "#compdef {0}\n"
      "_{0}() {{\n"
      "  local -a described\n"
      "  local candidate help\n"
      "  while IFS=$'\\t' read -r candidate help; do\n"
      "    described+=(\"${{candidate//:/\\\\:}}:$help\")\n"
      "  done < <(\"${{words[1]}}\" complete -- \"${{(@)words[2,CURRENT]}}\" 2>/dev/null)\n"
      "  if (( $#described )); then\n"
      "    local -a end=()\n"
      "    [[ ${{described[1]}} == *=:* ]] && end=(-S '')\n"
      "    _describe '{0}' described -Q \"${{(@)end}}\"\n"
      "  else\n"
      "    _files\n"
      "  fi\n"
      "}}\n"
      "if [[ $funcstack[1] == _{0} ]]; then  # loaded by its name, not by eval\n"
      "  _{0} \"$@\"\n"
      "else\n"
      "  compdef _{0} {0}\n"
      "fi\n";
  constexpr std::string_view fish =
      "function __{0}_complete\n"
      "  set -l words (commandline -opc) (commandline -ct)\n"
      "  set -l found ($words[1] complete -- $words[2..-1] 2>/dev/null)\n"
      "  if count $found >/dev/null\n"
      "    printf '%s\\n' $found\n"
      "  else\n"
      "    __fish_complete_path (commandline -ct)\n"
      "  end\n"
      "end\n"
      "complete -c {0} -f -a '(__{0}_complete)'\n";
  const std::string_view script = shell == "bash" ? bash : shell == "zsh" ? zsh : fish;
  return fmt::format(fmt::runtime(script), program);
}

}  // namespace regroup
