// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace regroup {

/// Numbering of ranks: the launcher's; node by node; one of each node in turns; drawn.
inline constexpr std::array<std::string_view, 4> order_words{"launcher", "packed", "round_robin",
                                                             "random"};

/// Who gets the ranks 0, 1, … in `order`, as former ranks, which were on `nodes`. A drawn order
/// depends on the seed and the numbers of ranks on nodes alone.
std::vector<int> in_order(std::string_view order, const std::vector<int>& nodes,
                          std::uint64_t seed);

/// The nodes of ranks in `order` without a launcher.
std::vector<int> simulated_nodes(int ranks, int ranks_per_node, std::string_view order,
                                 std::uint64_t seed);

}  // namespace regroup
