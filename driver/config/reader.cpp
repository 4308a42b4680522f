// SPDX-License-Identifier: BSD-3-Clause
#include "driver/config/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>
#include <span>

#include "kernel/numbers/parse.hpp"
#include "kernel/text/did_you_mean.hpp"
#include "kernel/text/plain_text.hpp"
#include "kernel/text/units.hpp"

namespace regroup {

static constexpr std::size_t most_bytes_of_a_name = 200;
static constexpr OptionSpec start_timeout =
    real_option("start_timeout_s", "300", 0.1, 1e7,
                "time limit for the start of all ranks, in seconds. A task that exceeds it has no "
                "result, and `run --resume` runs it again.");
static constexpr OptionSpec end_timeout = real_option(
    "end_timeout_s", "30", 0.1, 1e7,
    "grace period, in seconds, for ranks that are still running after the result is written, or "
    "after a rank was killed from outside. They are then killed, and a written result is kept.");

std::string names(const Entries& entries) {
  std::vector<std::string_view> all;
  for (const Entry& entry : entries) all.push_back(entry.name);
  return fmt::format("{}", fmt::join(all, " | "));
}

ConfigKey ConfigKey::of(const OptionSpec& spec, bool list) {
  return {std::string(spec.name), regroup::allowed(spec),
          spec.optional ? "no file" : std::string(spec.fallback), std::string(spec.help), list};
}

std::vector<std::string> names_of(const std::vector<ConfigKey>& keys) {
  std::vector<std::string> names;
  for (const ConfigKey& key : keys) names.push_back(key.name);
  return names;
}

ConfigReader::ConfigReader(const ConfigSource& source)
    : path_(source.path),
      changes_(source.changes),
      text_(text_of(source)),
      root_(config_root(text_, path_)) {
  if (const auto fault = fault_in(path_)) {
    throw UserError(
        fmt::format("{}: {}; give the file another name", one_line(path_), fault->what));
  }
  check_text(root_, "");
}

/// Rejects control characters, which escape sequences can produce: texts go into file names,
/// results and messages. Commands and values of variables may have several lines.
void ConfigReader::check_text(const ConfigNode& node, std::string_view allowed) const {
  if (const auto fault = fault_in(node.text, allowed)) {
    fail(node, fmt::format("{} in '{}'", fault->what, one_line(node.text)), "give plain text");
  }
  for (const ConfigNode& item : node.items) check_text(item, allowed);
  for (const auto& [key, value] : node.pairs) {
    const bool lines = &node == &root_ && (key.text == "launcher" || key.text == "environment");
    check_text(key, "");
    check_text(value, lines ? "\t\n" : allowed);
  }
}

void ConfigReader::fail(const ConfigNode& node, const std::string& wrong,
                        const std::string& allowed) const {
  constexpr std::size_t most_bytes = 500;
  throw UserError(fmt::format("{}: {}; {}", place_of(node), shortened(wrong, most_bytes), allowed));
}

void ConfigReader::fail(std::string_view key, const std::string& wrong,
                        const std::string& allowed) const {
  const ConfigNode* node = find(key);
  fail(node == nullptr ? root_ : *node, wrong, allowed);
}

/// Names a change instead of its line, which is not a line of the file.
std::string ConfigReader::place_of(const ConfigNode& node) const {
  for (const std::string& change : std::views::reverse(changes_)) {
    const std::string key = change.substr(0, change.find('='));
    const auto stands_here = [&](const ConfigPair& pair) {
      return pair.first.text == key && pair.first.line == node.line;
    };
    if (&node != &root_ && std::ranges::any_of(root_.pairs, stands_here)) {
      return fmt::format("{}, --set '{}'", path_, one_line(change));
    }
  }
  return fmt::format("{}:{}", path_, node.line);
}

void ConfigReader::check_keys(const ConfigNode& node, std::string_view what,
                              const Values& allowed) const {
  if (node.kind != ConfigNode::Kind::map) {
    fail(node, fmt::format("{} must be a map", what),
         fmt::format("allowed keys: {}", fmt::join(allowed, ", ")));
  }
  std::set<std::string> seen;
  for (const auto& [key, value] : node.pairs) {
    if (std::ranges::find(allowed, key.text) == allowed.end()) {
      fail(key,
           fmt::format("unknown key '{}' in {}{}", key.text, what, did_you_mean(key.text, allowed)),
           fmt::format("allowed: {}", fmt::join(allowed, ", ")));
    }
    if (!seen.insert(key.text).second) {
      fail(key, fmt::format("duplicate key '{}' in {}", key.text, what), "give it once");
    }
  }
}

const ConfigNode* ConfigReader::find(const ConfigNode& map, std::string_view key) {
  for (const auto& [name, value] : map.pairs) {
    if (name.text == key) return &value;
  }
  return nullptr;
}

std::string ConfigReader::text(std::string_view key, const std::string& fallback) const {
  const ConfigNode* node = find(key);
  if (node == nullptr) return fallback;
  if (node->kind != ConfigNode::Kind::scalar || node->text.empty()) {
    fail(*node, fmt::format("{} must be a text", key), "give one");
  }
  return node->text;
}

std::map<std::string, std::string> ConfigReader::environment() const {
  std::map<std::string, std::string> variables;
  const ConfigNode* node = find("environment");
  if (node == nullptr) return variables;
  if (node->kind != ConfigNode::Kind::map) {
    fail(*node, "environment must be a map", "allowed: NAME: value");
  }
  for (const auto& [name, value] : node->pairs) {
    if (name.text.empty() || name.text.find('=') != std::string::npos) {
      fail(name, fmt::format("'{}' is not the name of a variable", name.text),
           "allowed: NAME: value");
    }
    if (value.kind != ConfigNode::Kind::scalar) {
      fail(value, fmt::format("variable {} must be a text", name.text), "allowed: NAME: value");
    }
    if (!variables.emplace(name.text, value.text).second) {
      fail(name, fmt::format("duplicate key '{}' in environment", name.text), "give it once");
    }
  }
  return variables;
}

/// Returns the name of the experiment, which must also be a valid name of a directory.
std::string ConfigReader::experiment() const {
  const std::string name = text("experiment", std::filesystem::path(path_).stem().string());
  if (name.size() > most_bytes_of_a_name) {
    fail("experiment", fmt::format("'{}' is a name of {} bytes", name, name.size()),
         fmt::format("experiment: at most {} bytes", most_bytes_of_a_name));
  }
  if (name.find('/') != name.npos || name == "." || name == "..") {
    fail("experiment", fmt::format("experiment '{}' is not a valid name of a directory", name),
         "allowed: a name without '/'");
  }
  return name;
}

/// Returns the program of the ranks. Does not check that it exists: it may be in a container.
std::string ConfigReader::program() const {
  const std::string path = text("program", "");
  if (path.empty() || path.front() == '/') return path;
  fail("program", fmt::format("program '{}' is not an absolute path", path),
       "allowed: an absolute path, as the ranks see it");
}

Configuration ConfigReader::configuration() const {
  const auto line_of = [&](std::string_view key) {
    const ConfigNode* node = find(key);
    return node == nullptr ? 0 : node->line;
  };
  Configuration all;
  all.name = experiment();
  all.file = path_;
  all.text = text_;
  all.changes = changes_;
  all.launcher = text("launcher", "");
  all.launcher_line = line_of("launcher");
  all.ranks_per_node_line = line_of("ranks_per_node");
  all.program = program();
  all.start_timeout_s = parse<double>(value(start_timeout)).value();
  all.end_timeout_s = parse<double>(value(end_timeout)).value();
  all.environment = environment();
  return all;
}

std::vector<ConfigKey> ConfigReader::configuration_keys() {
  return {
      {"experiment", fmt::format("a name without '/', of at most {} bytes", most_bytes_of_a_name),
       "name of the file", "name of the sweep and of its directory of results"},
      {"launcher", "a command", "the launcher of the job (such as srun) or of the MPI library",
       "command that starts the ranks of a task. `{ranks}`, `{ranks_per_node}` and `{nodes}` are "
       "replaced by numbers."},
      {"program", "an absolute path", "the one beside the command",
       "path of the program that the ranks execute, for instance in a container"},
      ConfigKey::of(start_timeout, false),
      ConfigKey::of(end_timeout, false),
      {"environment", "a map of names and values", "no variables",
       "environment variables that are set for the ranks"}};
}

std::string ConfigReader::value(const OptionSpec& spec) const {
  const ConfigNode* node = find(spec.name);
  const Values all = values(node, spec, root_);
  if (all.size() != 1) {
    fail(*node, fmt::format("{} is a list", spec.name),
         spec.type == OptionSpec::Type::choice ? "give one word" : "give one number");
  }
  return all.front();
}

ConfigReader::Values ConfigReader::values(
    const ConfigNode& node, std::string_view name, const std::string& allowed,
    const std::function<std::string(std::string&)>& wrong) const {
  if (node.kind == ConfigNode::Kind::map ||
      (node.kind == ConfigNode::Kind::list && node.items.empty())) {
    fail(node,
         fmt::format("{} is {}", name,
                     node.kind == ConfigNode::Kind::map ? "a map" : "an empty list"),
         fmt::format("allowed: {}, or a list of such values", allowed));
  }
  Values result;
  std::set<std::string> seen;
  const std::span<const ConfigNode> items =
      node.kind == ConfigNode::Kind::scalar ? std::span(&node, 1) : std::span(node.items);
  for (const ConfigNode& item : items) {
    if (item.kind != ConfigNode::Kind::scalar) {
      fail(item, fmt::format("{} contains a list or a map", name), "allowed: " + allowed);
    }
    std::string value = item.text;
    if (const std::string complaint = wrong(value); !complaint.empty()) {
      fail(item, complaint, "allowed: " + allowed);
    }
    if (!seen.insert(value).second) {
      fail(item, fmt::format("{} contains '{}' twice", name, value), "give it once");
    }
    result.push_back(std::move(value));
  }
  return result;
}

/// Returns `node` with ranges replaced by their values.
static ConfigNode without_ranges(const ConfigNode& node, const OptionSpec& spec) {
  if (node.kind == ConfigNode::Kind::map) return node;
  ConfigNode list = node;
  list.kind = ConfigNode::Kind::list;
  list.items.clear();
  const bool scalar = node.kind == ConfigNode::Kind::scalar;
  for (const ConfigNode& item : scalar ? std::span(&node, 1) : std::span(node.items)) {
    for (const std::string& value : values_in(spec, item.text)) {
      list.items.push_back(item);
      list.items.back().text = value;
    }
  }
  return scalar && list.items.size() == 1 ? list.items.front() : list;
}

ConfigReader::Values ConfigReader::values(const ConfigNode* node, const OptionSpec& spec,
                                          const ConfigNode& owner) const {
  if (node == nullptr) {
    if (spec.fallback.empty()) {
      fail(owner, fmt::format("'{}' is missing", spec.name), "allowed: " + allowed(spec));
    }
    return {std::string(spec.fallback)};
  }
  const auto wrong = [&](std::string& value) -> std::string {
    if (!complaint(spec, value).empty()) {
      return fmt::format("'{}' is not a valid value of {}{}", value, spec.name,
                         did_you_mean(value, spec.words));
    }
    value = canonical(spec, value);
    return {};
  };
  return values(without_ranges(*node, spec), spec.name, allowed(spec), wrong);
}

ConfigReader::Values ConfigReader::values(const ConfigNode* node, std::string_view name,
                                          const Entries& entries, std::string_view fallback) const {
  if (node == nullptr) return {std::string(fallback)};
  return values(*node, name, names(entries), [&](const std::string& value) {
    if (find_entry(entries, value) != nullptr) return std::string();
    return fmt::format("unknown {} '{}'{}", name, value, did_you_mean(value, entries));
  });
}

std::vector<Combination> ConfigReader::combinations(const Entry& entry, const ConfigNode* node,
                                                    const ConfigNode& owner) const {
  std::vector<Combination> result{{{std::string(entry.name), {}}, {}}};
  for (const OptionSpec& spec : entry.options) {
    const ConfigNode* given = node == nullptr ? nullptr : find(*node, spec.name);
    if (given == nullptr && spec.optional) continue;
    const Values all = values(given, spec, owner);
    if (result.size() * all.size() > most_combinations) {
      fail(owner, fmt::format("the options of {} span too many combinations", entry.name),
           fmt::format("allowed: at most {}", most_combinations));
    }
    const std::vector<Combination> before = std::exchange(result, {});
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool is_file = spec.type == OptionSpec::Type::file;
      const std::string value = is_file ? beside_configuration(all[i]) : all[i];
      for (Combination one : before) {
        one.choice.options.set(std::string(spec.name), value);
        if (given != nullptr) {
          one.listed.push_back({std::string(spec.name), i, all.size(), given->line});
        }
        result.push_back(std::move(one));
      }
    }
  }
  return result;
}

std::string ConfigReader::beside_configuration(const std::string& file) const {
  return (std::filesystem::path(path_).parent_path() / file).lexically_normal().string();
}

ConfigReader::Values ConfigReader::option_names(const Entry& entry, Values also) {
  for (const OptionSpec& spec : entry.options) also.emplace_back(spec.name);
  return also;
}

std::vector<Combination> ConfigReader::kinds(const ConfigNode* node, std::string_view what,
                                             const Entries& entries,
                                             std::string_view fallback) const {
  if (node == nullptr) return combinations(*find_entry(entries, fallback), nullptr, root_);
  if (node->kind == ConfigNode::Kind::list && node->items.empty()) {
    fail(*node, fmt::format("{} is an empty list", what), "allowed: " + names(entries));
  }
  std::vector<Combination> result;
  const std::span<const ConfigNode> items =
      node->kind == ConfigNode::Kind::list ? std::span(node->items) : std::span(node, 1);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ConfigNode& item = items[i];
    const bool map = item.kind == ConfigNode::Kind::map;
    const ConfigNode* kind = map ? find(item, "kind") : &item;
    if (kind == nullptr || kind->kind != ConfigNode::Kind::scalar) {
      fail(item, fmt::format("{} has no kind", what), "allowed: " + names(entries));
    }
    const Entry* entry = find_entry(entries, kind->text);
    if (entry == nullptr) {
      fail(*kind,
           fmt::format("unknown {} '{}'{}", what, kind->text, did_you_mean(kind->text, entries)),
           "allowed: " + names(entries));
    }
    if (map) {
      check_keys(item, fmt::format("{} {}", what, entry->name), option_names(*entry, {"kind"}));
    }
    for (Combination& one : combinations(*entry, map ? &item : nullptr, item)) {
      if (std::ranges::find(result, one.choice, &Combination::choice) != result.end()) {
        fail(item, fmt::format("{} {} is given twice with the same options", what, entry->name),
             "give it once");
      }
      one.listed.push_back({std::string(what), i, items.size(), node->line});
      result.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace regroup
