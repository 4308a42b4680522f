// SPDX-License-Identifier: BSD-3-Clause
//
// Recovery from a loss of ranks: the survivors continue as a new run with fewer ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/run.hpp"
#include "regroup/balancer.hpp"
#include "regroup/groups.hpp"

namespace regroup {

/// The state of a run after a loss of ranks, with the rank numbers and walker names of that run.
struct Remains {
  RankSet lost;
  /// The last groups of all survivors; may also contain lost ranks. If two groups have the same
  /// chain, the first one continues it. Their numbers of items are ignored.
  std::vector<Group> groups;
  std::vector<std::int64_t> items_left;  ///< of the chains 0, 1, …
};

/// Returns the ranks 0 to `ranks` - 1 that are not `lost`.
std::vector<int> survivors(int ranks, const RankSet& lost);

/// Returns the rest of `run` on the survivors, which are renumbered from 0. A group continues its
/// chain with its surviving ranks, and its line of waiting chains remains. The chain of a lost
/// group and the chains behind it are appended to the lines of heirs, which the balancer names. A
/// group without a chain begins with the first chain of its line. If the balancer gives walkers to
/// groups, there are no lines: chains without a group wait, and if the groups of `run` began
/// without chains, all chains wait.
///
/// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 2.1 (use
/// of a communicator of the survivors).
RunInput rest_of(const RunInput& run, const Remains& remains);

/// Checks that `run` may continue as `rest`. Every survivor must be in exactly one group and no
/// lost rank in any; every chain with items left must be continued by exactly one group or wait in
/// exactly one place, with these items. Returns the violation, if any.
std::optional<std::string> violation(const RunInput& run, const Remains& remains,
                                     const RunInput& rest);

}  // namespace regroup
