// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/explorer/run_without_time.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// What an exploration saw.
struct Exploration {
  std::size_t states = 0;                ///< distinct ones
  std::size_t steps = 0;                 ///< from one of them to another
  std::size_t finals = 0;                ///< states in which everybody has stopped
  std::optional<std::string> violation;  ///< with the steps that lead to it, one per line
};

/// Takes every step from every state that `prototype` can come to (run_without_time.hpp), beginning
/// with each of `starts`: the items of the groups, equally many groups in each, of `group_size`
/// ranks, and then those of the walkers that wait behind them.
///
/// In every state the groups partition the ranks, every item is executed once, and a state in which
/// everybody has stopped can still be reached. So there is no deadlock and no trap; circles, like
/// tossing a coin once more, are allowed. Finds a shortest way to what is wrong.
Exploration explore(const Balancer& prototype, std::span<const std::vector<std::int64_t>> starts,
                    int group_size = 1, ExplorerSetup behind = {});

/// All ways to give 0 to `most` items to each of `groups` groups.
std::vector<std::vector<std::int64_t>> all_starts(int groups, std::int64_t most);

}  // namespace regroup
