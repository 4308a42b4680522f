// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "regroup/measurement.hpp"
#include "regroup/numbers.hpp"

namespace regroup {
namespace {

std::vector<Layer> one_group(int, int group_size, std::uint64_t) {
  return {{Members::range(0, group_size)}};
}

std::vector<Layer> disjoint(int ranks, int group_size, std::uint64_t) {
  Layer layer;
  for (int first = 0; first < ranks; first += group_size) {
    layer.push_back(Members::range(first, std::min(group_size, ranks - first)));
  }
  return {layer};
}

int half(int ranks) { return (ranks + 1) / 2; }

std::vector<Layer> halves(int ranks, int, std::uint64_t) { return disjoint(ranks, half(ranks), 0); }

int four(int ranks) { return std::min(ranks, 4); }

/// Groups of four of which neighbours share one rank: 0-3, 3-6, 6-9, …
std::vector<Members> overlapping(int ranks) {
  std::vector<Members> groups;
  for (int first = 0; first == 0 || first + 1 < ranks; first += 3) {
    groups.push_back(Members::range(first, std::min(4, ranks - first)));
  }
  return groups;
}

std::vector<Layer> cascaded(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers;
  for (const Members& group : overlapping(ranks)) layers.push_back({group});
  return layers;
}

std::vector<Layer> alternating(int ranks, int, std::uint64_t) {
  std::vector<Layer> layers(2);
  const std::vector<Members> groups = overlapping(ranks);
  for (std::size_t i = 0; i < groups.size(); ++i) layers[i % 2].push_back(groups[i]);
  if (layers[1].empty()) layers.pop_back();
  return layers;
}

std::vector<Layer> random_subset(int ranks, int group_size, std::uint64_t seed) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(group_size); ++i) {
    const std::uint64_t bits = random_bits(seed, Purpose::subset, i, 0);
    std::swap(all[i], all[i + bits % (all.size() - i)]);
  }
  all.resize(static_cast<std::size_t>(group_size));
  std::ranges::sort(all);
  return {{Members::list(all)}};
}

std::vector<Layer> not_known_yet(int, int, std::uint64_t) { return {}; }

/// The ranks of each node that belong to no group yet, in ascending order.
std::vector<std::vector<int>> ranks_of_nodes(const NodeMap& nodes, int ranks) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(nodes.nodes()));
  for (int rank = 0; rank < ranks; ++rank) {
    all[static_cast<std::size_t>(nodes.of(rank))].push_back(rank);
  }
  return all;
}

std::vector<Layer> in_one_layer(Layer groups) {
  if (groups.empty()) return {};
  return {std::move(groups)};
}

std::vector<Layer> within_node(const NodeMap& nodes, int ranks, int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  Layer groups;
  for (const std::vector<int>& all : ranks_of_nodes(nodes, ranks)) {
    for (std::size_t first = 0; first + size <= all.size(); first += size) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      groups.push_back(Members::list({begin, begin + group_size}));
    }
  }
  return in_one_layer(std::move(groups));
}

/// Each group takes one rank of those nodes that have the most left: so there are as many groups as
/// can be.
std::vector<Layer> across_nodes(const NodeMap& nodes, int ranks, int group_size) {
  const auto size = static_cast<std::size_t>(group_size);
  std::vector<std::vector<int>> left = ranks_of_nodes(nodes, ranks);
  for (std::vector<int>& all : left) std::ranges::reverse(all);  // the lowest is the next
  Layer groups;
  while (left.size() >= size) {
    std::ranges::stable_sort(left, std::greater(), &std::vector<int>::size);
    if (left[size - 1].empty()) break;
    std::vector<int> members;
    for (std::size_t i = 0; i < size; ++i) {
      members.push_back(left[i].back());
      left[i].pop_back();
    }
    std::ranges::sort(members);
    groups.push_back(Members::list(members));
  }
  return in_one_layer(std::move(groups));
}

int as_configured(int) { return 0; }

constexpr std::array entries{
    Pattern{{"one_group", "the first group_size ranks; the others only look on", {}},
            one_group,
            as_configured},
    Pattern{{"disjoint", "all ranks at once, in groups of group_size neighbours", {}},
            disjoint,
            as_configured},
    Pattern{{"halves", "all ranks at once, in two halves (RBC, Figure 5)", {}}, halves, half},
    Pattern{{"cascaded",
             "groups of four that share one rank with the next; each rank forms its left group "
             "first (RBC, Figure 6)",
             {}},
            cascaded,
            four},
    Pattern{{"alternating",
             "the same groups; first those with an even number, then the others (RBC, Figure 6)",
             {}},
            alternating,
            four},
    Pattern{{"random_subset", "group_size ranks at random, by the seed, in ascending order", {}},
            random_subset,
            as_configured,
            true},
    Pattern{{"within_node",
             "all ranks at once, in groups of group_size whose members share a node; what is left "
             "on a node looks on",
             {}},
            not_known_yet,
            as_configured,
            false,
            within_node},
    Pattern{{"across_nodes",
             "all ranks at once, in groups of group_size whose members are each on another node; "
             "what is left looks on",
             {}},
            not_known_yet,
            as_configured,
            false,
            across_nodes},
};

}  // namespace

std::span<const Pattern> patterns() { return entries; }

bool goes_on_beside_work(std::string_view strategy, std::span<const Layer> layers) {
  if (strategy == "idup") return true;
  return strategy == "icreate_group" && std::ranges::all_of(layers, [](const Layer& layer) {
           return std::ranges::none_of(layer, &Members::is_range);
         });
}

}  // namespace regroup
