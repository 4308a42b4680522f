// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/groups/node_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace regroup {

NodeMap::NodeMap(std::vector<int> nodes) {
  if (nodes.empty()) return;
  nodes_ = *std::ranges::max_element(nodes) + 1;
  std::vector<int> ranks(static_cast<std::size_t>(nodes_), 0);
  for (const int node : nodes) ++ranks[static_cast<std::size_t>(node)];
  most_ranks_ = *std::ranges::max_element(ranks);
  ascending_ = std::ranges::is_sorted(nodes);
  of_ranks_ = std::make_shared<const std::vector<int>>(std::move(nodes));
}

NodeMap NodeMap::of(std::span<const RankSet> nodes) {
  std::vector<int> of_ranks(static_cast<std::size_t>(united(nodes).size()), 0);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    for (const RankRange range : nodes[node].ranges()) {
      std::fill(of_ranks.begin() + range.lo, of_ranks.begin() + range.hi + 1,
                static_cast<int>(node));
    }
  }
  return NodeMap(std::move(of_ranks));
}

int NodeMap::count(const RankSet& ranks) const {
  if (nodes_ == 1 || ranks.empty()) return 1;
  if (ascending_) {
    int count = 0;
    int last = -1;
    for (const RankRange range : ranks.ranges()) {
      const int first = std::max(of(range.lo), last + 1);
      count += std::max(0, of(range.hi) - first + 1);
      last = std::max(last, of(range.hi));
    }
    return count;
  }
  std::vector<bool> seen(static_cast<std::size_t>(nodes_), false);
  int count = 0;
  for (const RankRange range : ranks.ranges()) {
    for (int rank = range.lo; rank <= range.hi && count < nodes_; ++rank) {
      if (seen[static_cast<std::size_t>(of(rank))]) continue;
      seen[static_cast<std::size_t>(of(rank))] = true;
      ++count;
    }
  }
  return count;
}

int NodeMap::fewest(int ranks) const {
  return known() ? std::min(nodes_, nodes_for(ranks, most_ranks_)) : 1;
}

std::string unlike_asked(int ranks_per_node, int ranks, int nodes, int most) {
  if (ranks_per_node == 0) return {};
  const int needed = nodes_for(ranks, ranks_per_node);
  if (nodes == needed && most <= ranks_per_node) return {};
  return fmt::format(
      "ranks_per_node is {}, which is {} ranks on {} {}, but the launcher put them on {}, up to {} "
      "on one",
      ranks_per_node, ranks, needed, needed == 1 ? "node" : "nodes", nodes, most);
}

}  // namespace regroup
