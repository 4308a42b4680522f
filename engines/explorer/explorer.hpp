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

/// The result of an exploration.
struct Exploration {
  std::size_t states = 0;                ///< number of distinct states
  std::size_t steps = 0;                 ///< number of distinct transitions, without losses
  std::size_t finals = 0;                ///< number of states in which all groups have stopped
  std::optional<std::string> violation;  ///< with the steps that lead to it, one per line
};

/// Takes every step from every state that `prototype` can reach (run_without_time.hpp), beginning
/// with each of `starts`: the items of each group, then those of each waiting walker. All starts
/// have the same number of groups, with `group_size` ranks each.
///
/// Checks that in every state the groups partition the ranks, every item is executed once, and a
/// state in which all groups have stopped can still be reached. So there is no deadlock and no
/// trap; cycles, such as repeated coin tosses, are allowed. Reports a shortest path to a violation.
Exploration explore(const Balancer& prototype, std::span<const std::vector<std::int64_t>> starts,
                    int group_size = 1, ExplorerSetup behind = {});

/// Returns all ways to assign 0 to `most` items to each of `groups` groups.
std::vector<std::vector<std::int64_t>> all_starts(int groups, std::int64_t most);

}  // namespace regroup
