// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/verify/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jobs/catalog/resolve.hpp"
#include "jobs/configuration/source.hpp"
#include "jobs/records/place_file.hpp"
#include "kernel/files/files.hpp"
#include "kernel/numbers/hash.hpp"

namespace regroup {
namespace {

/// "2026-01-31T23:59:59Z", by where digits stand.
bool is_date(const std::string& text) {
  std::string shape = text;
  for (char& c : shape) {
    if (c >= '0' && c <= '9') c = '0';
  }
  return shape == "0000-00-00T00:00:00Z";
}

/// What is wrong in itself; empty where nothing is. `tells_nodes`: not by an older version.
std::string wrong_in(const Record& record, bool tells_nodes) {
  const Whereabouts& where = record.outcome->where;
  const long ranks = record.task.ranks;
  if (!engine_of(record.task).real) {
    return where.nodes == 0 && where.cores == 0 ? "" : "what is simulated is on no node";
  }
  if (where.cores < 1) return fmt::format("cores is '{}'", where.cores);
  if (!where.crowded && ranks > where.cores) {
    return fmt::format("oversubscribed is 'no' for {} ranks on {} cores", ranks, where.cores);
  }
  if (!tells_nodes) return {};
  const long nodes = where.nodes;
  const long least = where.ranks_per_node_min;
  const long most = where.ranks_per_node_max;
  if (nodes < 1 || least < 1 || least > most || nodes * least > ranks || nodes * most < ranks ||
      (nodes == 1 && least != ranks)) {
    return fmt::format("{} ranks cannot be {} to {} on each of {} nodes", ranks, least, most,
                       nodes);
  }
  const std::string unlike = unlike_asked(record.task.ranks_per_node, record.task.ranks,
                                          where.nodes, where.ranks_per_node_max);
  if (!unlike.empty()) return unlike;
  if (nodes > where.cores) return fmt::format("{} nodes with {} cores", nodes, where.cores);
  if (!(where.load_average_before >= 0) || !std::isfinite(where.load_average_before)) {
    return fmt::format("load_average_before is '{}'", where.load_average_before);
  }
  if (!hash_from(where.placement)) return fmt::format("placement is '{}'", where.placement);
  return {};
}

/// What does not fit to the nodes that the file tells of.
std::string wrong_with(const std::vector<RankSet>& nodes, const Record& record,
                       std::span<const GroupLife> lives) {
  const Whereabouts& where = record.outcome->where;
  const auto size = [](const RankSet& ranks) { return ranks.size(); };
  const std::string name = place_file_name(where.placement);
  if (nodes.empty() || united(nodes) != RankSet(0, record.task.ranks - 1)) {
    return fmt::format("{} is of other ranks", name);
  }
  const int least = std::ranges::min(nodes, {}, size).size();
  const int most = std::ranges::max(nodes, {}, size).size();
  if (static_cast<std::size_t>(where.nodes) != nodes.size() || where.ranks_per_node_min != least ||
      where.ranks_per_node_max != most) {
    return fmt::format("{} tells of {} nodes with {} to {} ranks", name, nodes.size(), least, most);
  }
  return wrong_groups(NodeMap::of(nodes), record, lives);
}

/// The ranks of each node; nothing where that is no file of a place.
std::optional<std::vector<RankSet>> nodes_in(const std::string& text, const std::string& path) {
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  std::vector<RankSet> nodes;
  for (const ConfigNode& document : parse_yaml(text, path, {most, most, 8})) {
    for (const auto& [key, value] : document.pairs) {
      if (key.text != "nodes") continue;
      for (const ConfigNode& node : value.items) {
        for (const auto& [name, fact] : node.pairs) {
          if (name.text != "ranks") continue;
          const auto ranks = rank_set_of(fact.text);
          if (!ranks) return std::nullopt;
          nodes.push_back(*ranks);
        }
      }
    }
  }
  return nodes;
}

}  // namespace

std::string wrong_groups(const NodeMap& nodes, const Record& record,
                         std::span<const GroupLife> lives) {
  if (!record.task.is_run() || lives.empty()) return {};
  const int across = groups_across(nodes, lives);
  const int told = record.outcome->where.groups_across_nodes;
  if (across == told) return {};
  return fmt::format("groups_across_nodes is '{}', but there are {}", told, across);
}

void PlacesCheck::check(const CsvRow& row, const Record& record, std::span<const GroupLife> lives) {
  const auto wrong = [&](const std::string& what) {
    if (!what.empty()) faults_.add(row.path, row.line, fmt::format("run {}: {}", row["run"], what));
    return !what.empty();
  };
  const bool launched = engine_of(record.task).real && record.status != Status::unsupported;
  if (row.has("began") && (launched ? !is_date(record.began) : !record.began.empty())) {
    wrong(fmt::format("began is '{}'", record.began));
  }
  if (!record.outcome) return;
  const bool tells_nodes = row.has("nodes") && row.has("placement");
  if (wrong(wrong_in(record, tells_nodes)) || !tells_nodes) return;
  if (!launched) {
    wrong(wrong_groups(simulated_nodes_of(record.task), record, lives));
    return;
  }
  const Nodes& nodes = nodes_of(record.outcome->where.placement);
  if (nodes) wrong(wrong_with(*nodes, record, lives));
}

const PlacesCheck::Nodes& PlacesCheck::nodes_of(const std::string& placement) {
  const auto [known, is_new] = known_.try_emplace(placement);
  if (!is_new) return known->second;
  const std::string path = fmt::format("{}/{}", directory_, place_file_name(placement));
  const auto text = read_file(path);
  if (!text) {
    faults_.add(path, 0, "there is no such file, but rows that name it");
  } else if (const std::string told = placement_told_by(*text); told != placement) {
    faults_.add(path, 0, fmt::format("what it says of the place is of the name {}", told));
  } else {
    known->second = nodes_in(*text, path);
  }
  return known->second;
}

NodeMap PlacesCheck::map_of(const std::string& placement, int ranks) {
  if (!hash_from(placement)) return {};
  const Nodes& nodes = nodes_of(placement);
  if (!nodes || nodes->empty() || united(*nodes) != RankSet(0, ranks - 1)) return {};
  return NodeMap::of(*nodes);
}

std::set<std::string> PlacesCheck::files() const {
  std::set<std::string> files;
  for (const auto& [placement, nodes] : known_) {
    if (nodes) files.insert(place_file_name(placement));
  }
  return files;
}

}  // namespace regroup
