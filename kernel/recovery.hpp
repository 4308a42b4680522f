// SPDX-License-Identifier: BSD-3-Clause
//
// How a run goes on when ranks are lost: the others begin anew, as a run of fewer ranks.
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

/// What is known of a run when ranks were lost, by the numbers and names of that run.
struct Remains {
  RankSet lost;
  /// The last groups of all other ranks, which may contain lost ones. Of two with the same chain
  /// the first has it. Their items do not count.
  std::vector<Group> groups;
  std::vector<std::int64_t> items_left;  ///< of the chains 0, 1, …
};

/// The ranks 0 … `ranks` - 1 that are not `lost`.
std::vector<int> survivors(int ranks, const RankSet& lost);

/// The rest of `run`, whose ranks are the survivors, numbered from 0 on. A group continues its
/// chain with those of its ranks that are left; the chains that wait behind it go on doing so. A
/// chain whose group is lost, and those behind it, wait behind that of the heir that the balancer
/// names; a group without a chain begins with the first that waits for it. Where the balancer gives
/// walkers to groups, all chains without a group wait for it; and all chains where groups began
/// without any.
///
/// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 2.1:
/// what a communicator of the survivors is for.
RunInput rest_of(const RunInput& run, const Remains& remains);

/// What breaks the law of recovery where `run` goes on as `rest`: every rank that is not lost is in
/// exactly one group, no other is in any, and every chain with items left is continued by exactly
/// one group or waits in exactly one place, with these items.
std::optional<std::string> violation(const RunInput& run, const Remains& remains,
                                     const RunInput& rest);

}  // namespace regroup
