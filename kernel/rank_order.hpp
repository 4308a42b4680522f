// SPDX-License-Identifier: BSD-3-Clause
//
// In which order ranks are numbered along their nodes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace regroup {

/// As the launcher did; node after node; one of each node in turns; drawn.
inline constexpr std::array<std::string_view, 4> order_words{"launcher", "packed", "round_robin",
                                                             "random"};

/// Who gets the ranks 0, 1, … in `order`: the ranks that processes had before, which were on
/// `nodes`. What is drawn depends on the seed and on how many ranks nodes have, and not on how they
/// were numbered before.
std::vector<int> in_order(std::string_view order, const std::vector<int>& nodes,
                          std::uint64_t seed);

/// The nodes of ranks in `order`, so many on each, without a launcher: node after node.
std::vector<int> simulated_nodes(int ranks, int ranks_per_node, std::string_view order,
                                 std::uint64_t seed);

}  // namespace regroup
