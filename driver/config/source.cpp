// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "driver/config/reader.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

struct Change {
  std::string line;  ///< "KEY: VALUE"
  ConfigPair pair;   ///< the parsed line
};

/// Parses a change. VALUE must be complete: the line alone must be a document with one key.
Change change_in(const std::string& text) {
  const auto refuse = [&](const std::string& wrong) {
    throw UserError(
        fmt::format("--set '{}': {}; allowed: KEY=VALUE, as in ranks=64, 'ranks=[32, 64]' or "
                    "'workload={{kind: pareto, mean_items: 20}}'",
                    one_line(text), wrong));
  };
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) refuse("the key or the '=' is missing");
  const std::string key = text.substr(0, sign);
  const std::string value = text.substr(sign + 1);
  if (text.find('\n') != std::string::npos) refuse("it contains several lines");
  if (key.find_first_of(" :#'\"{}[],&*!|>%@`") != std::string::npos) {
    refuse(fmt::format("'{}' is not a key", one_line(key)));
  }
  const std::string line = key + ": " + value;
  std::vector<ConfigNode> documents;
  try {
    documents = parse_yaml(line + "\n", "--set", {});
  } catch (const UserError&) {  // reported below
  }
  if (documents.size() != 1 || documents.front().pairs.size() != 1) {
    refuse(fmt::format("'{}' is not a YAML value", one_line(value)));
  }
  return {line, documents.front().pairs.front()};
}

bool says_nothing(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string::npos || line[first] == '#' || line == "...";
}

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the range of lines of the key at `at`, counted from 0, up to the next key.
std::pair<std::size_t, std::size_t> extent(const std::vector<ConfigPair>& pairs,
                                           std::vector<ConfigPair>::const_iterator at,
                                           std::size_t lines) {
  const auto index_of = [](const ConfigPair& pair) {
    return static_cast<std::size_t>(pair.first.line - 1);
  };
  return {index_of(*at), at + 1 == pairs.end() ? lines : std::min(index_of(at[1]), lines)};
}

/// Returns whether both are equal except for their lines.
bool same(const ConfigNode& a, const ConfigNode& b) {
  const auto same_pair = [](const ConfigPair& x, const ConfigPair& y) {
    return same(x.first, y.first) && same(x.second, y.second);
  };
  return a.kind == b.kind && a.text == b.text && std::ranges::equal(a.items, b.items, same) &&
         std::ranges::equal(a.pairs, b.pairs, same_pair);
}

/// Returns `text` with `change` applied; nullopt if that would change other keys or break the YAML:
/// because of an anchor that others use, or keys between braces.
std::optional<std::string> with_change(const std::string& text, const std::string& path,
                                       const Change& change) {
  std::vector<std::string> lines = lines_in(text);
  ConfigNode expected = config_root(text, path);
  expected.kind = ConfigNode::Kind::map;
  auto& pairs = expected.pairs;
  const auto at = std::ranges::find(pairs, change.pair.first.text,
                                    [](const ConfigPair& pair) { return pair.first.text; });
  if (at == pairs.end()) {
    lines.push_back(change.line);
    pairs.push_back(change.pair);
  } else {
    auto [begin, end] = extent(pairs, at, lines.size());
    if (begin >= lines.size()) return std::nullopt;  // other line endings than \n
    // Keep comments above the next key.
    while (end > begin + 1 && says_nothing(lines[end - 1])) --end;
    lines[begin] = change.line;
    // Leave the other lines empty, so that later lines keep their numbers.
    for (std::size_t i = begin + 1; i < end; ++i) lines[i].clear();
    *at = change.pair;
  }
  const std::string changed = fmt::format("{}\n", fmt::join(lines, "\n"));
  try {
    if (same(expected, config_root(changed, path))) return changed;
  } catch (const UserError&) {  // reported by the caller
  }
  return std::nullopt;
}

std::string with_changes(std::string text, const std::string& path,
                         const std::vector<std::string>& changes) {
  for (const std::string& told : changes) {
    std::optional<std::string> changed = with_change(text, path, change_in(told));
    if (!changed) {
      throw UserError(fmt::format(
          "{}: '--set {}' needs a file in which each key has its own line; edit the file", path,
          one_line(told)));
    }
    text = *std::move(changed);
  }
  return text;
}

}  // namespace

std::string text_of(const ConfigSource& source) {
  const std::string text = source.text ? plain_text(*source.text, source.path)
                                       : read_plain_text(source.path, YamlLimits().bytes,
                                                         "a configuration (a YAML file)");
  return with_changes(text, source.path, source.changes);
}

std::string lines_of_keys(const std::string& text, const std::string& path,
                          const std::set<std::string>& keys) {
  const std::vector<std::string> lines = lines_in(text);
  const auto pairs = config_root(text, path).pairs;
  std::string some;
  for (auto at = pairs.begin(); at != pairs.end(); ++at) {
    if (!keys.contains(at->first.text)) continue;
    const auto [begin, end] = extent(pairs, at, lines.size());
    for (std::size_t line = begin; line < end; ++line) some += lines[line] + "\n";
  }
  return some;
}

ConfigNode config_root(const std::string& text, const std::string& path) {
  std::vector<ConfigNode> documents = parse_yaml(text, path, {});
  if (documents.size() > 1) {
    throw UserError(fmt::format("{}:{}: a second YAML document begins; give one configuration",
                                path, documents[1].line));
  }
  return documents.empty() ? ConfigNode() : std::move(documents.front());
}

}  // namespace regroup
