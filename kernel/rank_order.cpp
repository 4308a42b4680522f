// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rank_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "regroup/numbers.hpp"

namespace regroup {
namespace {

/// Returns for each rank the number of lower ranks on its node.
std::vector<int> turns(const std::vector<int>& nodes) {
  std::vector<int> seen(static_cast<std::size_t>(std::ranges::max(nodes)) + 1, 0);
  std::vector<int> turns;
  for (const int node : nodes) turns.push_back(seen[static_cast<std::size_t>(node)]++);
  return turns;
}

void shuffle(std::vector<int>& ranks, std::uint64_t seed) {
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    const std::uint64_t bits = random_bits(seed, Purpose::order, i, 0);
    std::swap(ranks[i], ranks[i + bits % (ranks.size() - i)]);
  }
}

}  // namespace

std::vector<int> in_order(std::string_view order, const std::vector<int>& nodes,
                          std::uint64_t seed) {
  std::vector<int> ranks(nodes.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (order == "launcher" || ranks.empty()) return ranks;
  const auto by = [](const std::vector<int>& keys) {
    return [&keys](int rank) { return keys[static_cast<std::size_t>(rank)]; };
  };
  std::ranges::stable_sort(ranks, {}, by(nodes));
  if (order == "round_robin") std::ranges::stable_sort(ranks, {}, by(turns(nodes)));
  if (order == "random") shuffle(ranks, seed);
  return ranks;
}

std::vector<int> simulated_nodes(int ranks, int ranks_per_node, std::string_view order,
                                 std::uint64_t seed) {
  std::vector<int> packed;
  for (int rank = 0; rank < ranks; ++rank) packed.push_back(rank / ranks_per_node);
  std::vector<int> nodes;
  for (const int rank : in_order(order, packed, seed)) {
    nodes.push_back(packed[static_cast<std::size_t>(rank)]);
  }
  return nodes;
}

}  // namespace regroup
