// SPDX-License-Identifier: BSD-3-Clause
//
// How a reader reads values, one or a list of them, and rows of lists with their options.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

#include "jobs/configuration/reader.hpp"
#include "jobs/words/did_you_mean.hpp"

namespace regroup {

ConfigReader::Values ConfigReader::values(
    const ConfigNode& node, std::string_view name, const std::string& allowed,
    const std::function<std::string(std::string&)>& wrong) const {
  if (node.kind == ConfigNode::Kind::map ||
      (node.kind == ConfigNode::Kind::list && node.items.empty())) {
    fail(node,
         fmt::format("{} is {}", name,
                     node.kind == ConfigNode::Kind::map ? "a map" : "an empty list"),
         fmt::format("allowed: {}, or a list of such", allowed));
  }
  Values result;
  std::set<std::string> seen;
  const std::span<const ConfigNode> items =
      node.kind == ConfigNode::Kind::scalar ? std::span(&node, 1) : std::span(node.items);
  for (const ConfigNode& item : items) {
    if (item.kind != ConfigNode::Kind::scalar) {
      fail(item, fmt::format("{} holds what is no plain value", name), "allowed: " + allowed);
    }
    std::string value = item.text;
    if (const std::string complaint = wrong(value); !complaint.empty()) {
      fail(item, complaint, "allowed: " + allowed);
    }
    if (!seen.insert(value).second) {
      fail(item, fmt::format("{} holds '{}' twice", name, value), "give it once");
    }
    result.push_back(std::move(value));
  }
  return result;
}

ConfigReader::Values ConfigReader::values(const ConfigNode* node, const OptionSpec& spec,
                                          const ConfigNode& owner) const {
  if (node == nullptr) {
    if (spec.fallback.empty()) {
      fail(owner, fmt::format("'{}' is missing", spec.name), "allowed: " + allowed(spec));
    }
    return {std::string(spec.fallback)};
  }
  return values(*node, spec.name, allowed(spec), [&](std::string& value) -> std::string {
    if (!complaint(spec, value).empty()) {
      return fmt::format("'{}' is no value of {}{}", value, spec.name,
                         did_you_mean(value, spec.words));
    }
    value = canonical(spec, value);
    return {};
  });
}

ConfigReader::Values ConfigReader::values(const ConfigNode* node, std::string_view name,
                                          const Entries& entries, std::string_view fallback) const {
  if (node == nullptr) return {std::string(fallback)};
  return values(*node, name, names(entries), [&](const std::string& value) {
    if (find_entry(entries, value) != nullptr) return std::string();
    return fmt::format("unknown {} '{}'{}", name, value, did_you_mean(value, entries));
  });
}

Choices ConfigReader::choices(const Entry& entry, const ConfigNode* node,
                              const ConfigNode& owner) const {
  Choices result{std::string(entry.name), {}};
  for (const OptionSpec& spec : entry.options) {
    Values all = values(node == nullptr ? nullptr : find(*node, spec.name), spec, owner);
    if (spec.type == OptionSpec::Type::file) {
      for (std::string& file : all) file = beside_configuration(file);
    }
    result.options.emplace_back(spec.name, std::move(all));
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

Joined<Choices> ConfigReader::kinds(const ConfigNode* node, std::string_view what,
                                    const Entries& entries, std::string_view fallback) const {
  Joined<Choices> result;
  if (node == nullptr) {
    result.add(choices(*find_entry(entries, fallback), nullptr, root_));
    return result;
  }
  if (node->kind == ConfigNode::Kind::list && node->items.empty()) {
    fail(*node, fmt::format("{} is an empty list", what), "allowed: " + names(entries));
  }
  const std::span<const ConfigNode> items =
      node->kind == ConfigNode::Kind::list ? std::span(node->items) : std::span(node, 1);
  for (const ConfigNode& item : items) {
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
    Choices more = choices(*entry, map ? &item : nullptr, item);
    if (std::ranges::any_of(result.parts(), [&](const Choices& c) { return overlap(c, more); })) {
      fail(item, fmt::format("{} {} stands twice with the same options", what, entry->name),
           "give it once");
    }
    result.add(std::move(more));
  }
  return result;
}

}  // namespace regroup
