// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/places/place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernel/places/host.hpp"

namespace regroup {
namespace {

constexpr int most_cpus = 1 << 14;  // of a host: twice the maximum of Linux

RankSet all_cpus(const Node& node) {
  std::vector<RankSet> cpus;
  for (const Binding& binding : node.bindings) cpus.push_back(binding.cpus);
  return united(cpus);
}

}  // namespace

RankSet Node::ranks() const {
  std::vector<RankSet> ranks;
  for (const Binding& binding : bindings) ranks.push_back(binding.ranks);
  return united(ranks);
}

int Node::cores() const {
  const int cpus = all_cpus(*this).size();
  const double quota = facts.quota > 0 ? facts.quota : cpus;
  return std::max(1, static_cast<int>(std::min<double>(cpus, quota)));
}

bool Node::crowded() const {
  const int own = ranks().size();
  const bool beyond_quota = facts.quota > 0 && own > facts.quota;  // quotas may be below 1
  return own > cores() || beyond_quota || !have_own_processors(bindings);
}

int Place::cores() const {
  long sum = 0;
  for (const Node& node : nodes) sum += node.cores();
  return static_cast<int>(std::min<long>(sum, std::numeric_limits<int>::max()));
}

bool Place::crowded() const { return std::ranges::any_of(nodes, &Node::crowded); }

std::vector<Node> nodes_of(std::span<const RankLocation> locations) {
  struct Found {
    std::size_t place;
    std::map<std::string, std::size_t> bindings;  // index by processors
    std::vector<std::vector<RankRange>> ranks;    // of each binding
  };
  std::map<std::string, Found> hosts;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const RankLocation& location = locations[i];
    const auto [host, is_new] = hosts.try_emplace(location.host, Found{nodes.size(), {}, {}});
    if (is_new) nodes.push_back({location.name, {}, {}});
    Found& found = host->second;
    const auto [binding, is_other] =
        found.bindings.try_emplace(text_of(location.cpus), found.ranks.size());
    if (is_other) {
      nodes[found.place].bindings.push_back({{}, location.cpus});
      found.ranks.emplace_back();
    }
    const int rank = static_cast<int>(i);
    found.ranks[binding->second].push_back({rank, rank});
  }
  for (auto& [name, found] : hosts) {
    for (std::size_t i = 0; i < found.ranks.size(); ++i) {
      nodes[found.place].bindings[i].ranks = RankSet::of(std::move(found.ranks[i]));
    }
  }
  return nodes;
}

Placement placement_of(const Place& place) {
  Placement where;
  where.nodes = static_cast<int>(place.nodes.size());
  where.job_id = place.job_id;
  where.crowded = place.crowded();
  where.cores = place.cores();
  if (place.nodes.empty()) return where;
  where.ranks_per_node_min = std::numeric_limits<int>::max();
  for (const Node& node : place.nodes) {
    const int ranks = node.ranks().size();
    where.ranks_per_node_min = std::min(where.ranks_per_node_min, ranks);
    where.ranks_per_node_max = std::max(where.ranks_per_node_max, ranks);
    where.load_average_before = std::max(where.load_average_before, node.facts.load);
  }
  return where;
}

NodeMap node_map_of(const Place& place) {
  std::vector<RankSet> nodes;
  for (const Node& node : place.nodes) nodes.push_back(node.ranks());
  return NodeMap::of(nodes);
}

std::string complaint_about(const Place& place, int ranks) {
  std::vector<RankSet> all;
  long number = 0;
  for (const Node& node : place.nodes) {
    if (node.bindings.empty()) return "a node without ranks";
    for (const Binding& binding : node.bindings) {
      if (binding.ranks.empty() || binding.cpus.empty()) return "ranks without a processor";
      if (binding.cpus.hi() >= most_cpus) return "a processor of a number that no host has";
      all.push_back(binding.ranks);
      number += binding.ranks.size();
    }
    const HostFacts& facts = node.facts;
    if (!(facts.quota >= 0) || !(facts.load >= 0) || !std::isfinite(facts.quota + facts.load)) {
      return "a quota or a load of processors that cannot be";
    }
  }
  if (number != ranks || united(all) != RankSet(0, ranks - 1)) {
    return "nodes that have not every rank once";
  }
  return {};
}

void to_json(nlohmann::json& json, const RankSet& ranks) { json = text_of(ranks); }
void from_json(const nlohmann::json& json, RankSet& ranks) {
  const auto read = rank_set_of(json.get<std::string>());
  if (!read) throw std::invalid_argument("ranks that are no ascending ranges");
  ranks = *read;
}

}  // namespace regroup
