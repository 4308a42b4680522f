// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "driver/config/reader.hpp"
#include "kernel/text/plain_text.hpp"

namespace regroup {
namespace {

using Lines = std::vector<std::string>;

struct Change {
  std::string key;
  std::string value;
};

[[noreturn]] void refuse(const std::string& change, const std::string& wrong) {
  throw UserError(
      fmt::format("--set '{}': {}; allowed: KEY=VALUE, as in ranks=64, 'ranks=[32, 64]' or "
                  "'workload={{kind: pareto, mean_items: 20}}'",
                  one_line(change), wrong));
}

/// A document of one key has the lines of the key and its value only where the value is whole.
Change change_in(const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0) refuse(text, "it has no key, or no '='");
  const Change change{text.substr(0, sign), text.substr(sign + 1)};
  if (text.find('\n') != std::string::npos) refuse(text, "it has several lines");
  if (change.key.find_first_of(" :#'\"{}[],&*!|>%@`") != std::string::npos) {
    refuse(text, fmt::format("'{}' is no key", one_line(change.key)));
  }
  try {
    const auto documents = parse_yaml(change.key + ": " + change.value + "\n", "--set", {});
    if (documents.size() == 1 && documents.front().pairs.size() == 1) return change;
  } catch (const UserError&) {
    // told below
  }
  refuse(text, fmt::format("'{}' is no value in YAML", one_line(change.value)));
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool says_nothing(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string::npos || line[first] == '#';
}

/// The lines of a key at line `begin` (from 0), up to that of the next one, without the comments
/// above that.
std::size_t end_of_key(const Lines& lines, std::size_t begin, std::size_t next) {
  std::size_t end = std::min(next, lines.size());
  while (end > begin + 1 && (says_nothing(lines[end - 1]) || lines[end - 1] == "...")) --end;
  return end;
}

ConfigNode root_of(const Lines& lines, const std::string& path) {
  std::vector<ConfigNode> documents =
      parse_yaml(fmt::format("{}\n", fmt::join(lines, "\n")), path, {});
  return documents.size() == 1 ? std::move(documents.front()) : ConfigNode();
}

std::size_t index_of(int line) { return static_cast<std::size_t>(line - 1); }

/// Lines that are free now stay, empty, so that what is behind them keeps its number.
void make(const Change& change, Lines& lines, const std::string& path) {
  const ConfigNode root = root_of(lines, path);
  const auto& pairs = root.pairs;
  const auto at =
      std::ranges::find(pairs, change.key, [](const auto& pair) { return pair.first.text; });
  const std::string line = change.key + ": " + change.value;
  if (at == pairs.end()) {
    lines.push_back(line);
    return;
  }
  const std::size_t begin = index_of(at->first.line);
  const std::size_t next = at + 1 == pairs.end() ? lines.size() : index_of((at + 1)->first.line);
  const std::size_t end = end_of_key(lines, begin, next);
  lines[begin] = line;
  for (std::size_t i = begin + 1; i < end; ++i) lines[i].clear();
}

bool same(const ConfigNode& a, const ConfigNode& b) {
  const auto same_pair = [](const ConfigPair& x, const ConfigPair& y) {
    return same(x.first, y.first) && same(x.second, y.second);
  };
  return a.kind == b.kind && a.text == b.text && std::ranges::equal(a.items, b.items, same) &&
         std::ranges::equal(a.pairs, b.pairs, same_pair);
}

/// Whether `after` is `before` with `change` in it, and nothing else.
bool is_made(const ConfigNode& before, const ConfigNode& after, const Change& change) {
  ConfigNode expected = before;
  const ConfigNode told = parse_yaml(change.key + ": " + change.value + "\n", "--set", {}).front();
  expected.kind = ConfigNode::Kind::map;
  const auto at = std::ranges::find(expected.pairs, change.key,
                                    [](const auto& pair) { return pair.first.text; });
  if (at == expected.pairs.end()) {
    expected.pairs.push_back(told.pairs.front());
  } else {
    *at = told.pairs.front();
  }
  return same(expected, after);
}

/// `text` with each of `changes` in it.
std::string with_changes(const std::string& text, const std::string& path,
                         const std::vector<std::string>& changes) {
  Lines lines = lines_of(text);
  for (const std::string& told : changes) {
    const Change change = change_in(told);
    const ConfigNode before = root_of(lines, path);
    bool made = false;
    try {
      make(change, lines, path);
      made = is_made(before, root_of(lines, path), change);
    } catch (const UserError&) {
      // told below: an anchor that others need, or keys between braces
    }
    if (!made) {
      throw UserError(
          fmt::format("{}: '--set {}' cannot be put into it: that takes a file whose "
                      "keys have lines of their own; edit the file",
                      path, one_line(told)));
    }
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace

std::string text_of(const ConfigSource& source) {
  const std::string text = source.text ? plain_text(*source.text, source.path)
                                       : read_plain_text(source.path, YamlLimits().bytes,
                                                         "a configuration (a YAML file)");
  return source.changes.empty() ? text : with_changes(text, source.path, source.changes);
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
