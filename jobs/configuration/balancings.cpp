// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/configuration/balancings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "jobs/catalog/resolve.hpp"
#include "jobs/words/did_you_mean.hpp"

namespace regroup {
namespace {

using Values = ConfigReader::Values;

Values communicators(const ConfigReader& reader, const BalancerEntry& entry,
                     const ConfigNode* node) {
  if (entry.regrouping == Regrouping::never) return {""};
  const ConfigKey key = communicator_key(entry).value();
  if (node == nullptr) return {key.fallback};
  return reader.values(*node, key.name, key.allowed, [&](const std::string& value) -> std::string {
    const Strategy* strategy = find_entry(standard_catalog().strategies, value);
    if (strategy == nullptr) {
      return fmt::format("unknown communicator '{}'{}", value,
                         did_you_mean(value, standard_catalog().strategies));
    }
    return hindrance(entry, *strategy);
  });
}

Balancings balancings(const ConfigReader& reader, const ConfigNode& item) {
  const bool map = item.kind == ConfigNode::Kind::map;
  if (item.kind == ConfigNode::Kind::list || (map && item.pairs.size() != 1)) {
    reader.fail(item, "a balancer is a name, or a name with a map of its options",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const ConfigNode& name = map ? item.pairs.front().first : item;
  const ConfigNode* options = map ? &item.pairs.front().second : nullptr;
  const BalancerEntry* entry = find_entry(standard_catalog().balancers, name.text);
  if (entry == nullptr) {
    reader.fail(name,
                fmt::format("unknown balancer '{}'{}", name.text,
                            did_you_mean(name.text, standard_catalog().balancers)),
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  const bool regroups = entry->regrouping != Regrouping::never;
  if (options != nullptr) {
    const Values own = regroups ? Values{"communicator"} : Values{};
    if (!regroups && entry->options.empty()) {
      reader.fail(options->pairs.empty() ? name : options->pairs.front().first,
                  fmt::format("balancer {} has no options", entry->name),
                  fmt::format("write it as '- {}'", entry->name));
    }
    reader.check_keys(*options, fmt::format("balancer {}", entry->name),
                      reader.option_names(*entry, own));
  }
  const ConfigNode* strategy = options == nullptr ? nullptr : reader.find(*options, "communicator");
  return {reader.choices(*entry, options, name), communicators(reader, *entry, strategy)};
}

}  // namespace

Joined<Balancings> read_balancings(const ConfigReader& reader) {
  const ConfigNode* node = reader.find(reader.root(), "balancers");
  if (node == nullptr)
    reader.fail(reader.root(), "'balancers' is missing",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  if (node->kind != ConfigNode::Kind::list || node->items.empty()) {
    reader.fail(*node, "balancers must be a list that is not empty",
                "allowed: " + names(entries_of(standard_catalog().balancers)));
  }
  Joined<Balancings> result;
  for (const ConfigNode& item : node->items) {
    Balancings more = balancings(reader, item);
    const auto shares = [&](const Balancings& other) {
      const bool strategy = std::ranges::find_first_of(other.communicators, more.communicators) !=
                            other.communicators.end();
      return strategy && overlap(other.balancers, more.balancers);
    };
    if (std::ranges::any_of(result.parts(), shares)) {
      reader.fail(
          item, fmt::format("balancer {} stands twice with the same options", more.balancers.name),
          "give it once");
    }
    result.add(std::move(more));
  }
  return result;
}

std::vector<std::string> communicators_of(const BalancerEntry& balancer) {
  if (balancer.regrouping == Regrouping::never) return {""};
  std::vector<std::string> names;
  for (const Strategy& strategy : standard_catalog().strategies) {
    if (hindrance(balancer, strategy).empty()) names.emplace_back(strategy.name);
  }
  return names;
}

std::optional<ConfigKey> communicator_key(const BalancerEntry& balancer) {
  if (balancer.regrouping == Regrouping::never) return {};
  const bool anybody = balancer.regrouping == Regrouping::any_time;
  return ConfigKey{"communicator", fmt::format("{}", fmt::join(communicators_of(balancer), " | ")),
                   anybody ? "create_group" : "comm_split", "a communicator strategy", true};
}

}  // namespace regroup
