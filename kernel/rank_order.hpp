// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace regroup {

/// Orders of ranks: by the launcher, node by node, one rank of each node in turn, random.
inline constexpr std::array<std::string_view, 4> order_words{"launcher", "packed", "round_robin",
                                                             "random"};

/// Returns the former ranks, which are on `nodes`, in their new order. In a random order, the node
/// of each new rank depends only on the seed and the number of ranks on each node.
std::vector<int> in_order(std::string_view order, const std::vector<int>& nodes,
                          std::uint64_t seed);

/// Returns the nodes of ranks in `order` after a simulated launcher has filled node by node.
std::vector<int> simulated_nodes(int ranks, int ranks_per_node, std::string_view order,
                                 std::uint64_t seed);

}  // namespace regroup
