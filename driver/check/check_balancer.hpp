// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/explorer/explorer.hpp"
#include "library/resolve.hpp"
#include "regroup/catalog.hpp"

namespace regroup {

/// The balancer to check, and the extent of the check.
struct AskedCheck {
  std::string balancer;
  double seconds = 20;  ///< limit for each variant, checked between runs; the first always runs
  int runs = 1000;      ///< number of random runs in virtual time
};

/// Explores small runs of a balancer in every order of events, and large ones at random; prints the
/// extent and, for an error, the shortest path to it. Returns the exit code: 0, or 1 if the
/// balancer is wrong. Throws UserError if `catalog` has no such balancer.
int check_balancer(const AskedCheck& asked, const Catalog& catalog);

/// Returns random run `number` in virtual time, always the same one: 1 to 1,000 ranks, any
/// workload, speed-up and number of walkers, and `balancer` or, if that is nullptr, any.
Task random_run(std::uint64_t number, const BalancerEntry* balancer, const Catalog& catalog);

// Runs that are so small that every order of events can be tried.

/// Returns the balancer `entry` with every combination of option values that can make a difference
/// in small runs: all words, the integers 1 to 3, otherwise the default.
std::vector<Chosen<BalancerEntry>> variants(const BalancerEntry& entry);

/// All runs of `groups` groups in which each walker has 0 to `most_items` items.
struct SmallRuns {
  int groups = 1;
  std::int64_t most_items = 1;
  int group_size = 1;
  int waiting = 0;  ///< walkers that wait, besides those of the groups
  int larger = 0;   ///< number of groups, from the left, that have one more rank
  int losses = 0;   ///< number of ranks that are lost, at any time

  friend bool operator==(const SmallRuns&, const SmallRuns&) = default;
};

/// Returns "3 groups of 2, 1 walker behind, 0 to 2 items each".
std::string describe(const SmallRuns& runs);

/// Returns the runs to explore, from the smallest on: these show most mistakes.
const std::vector<SmallRuns>& small_runs();

/// Explores every order of events in `runs` with `balancer`. If it prefers its own node, groups are
/// alternately on two nodes.
Exploration explore(const Chosen<BalancerEntry>& balancer, const SmallRuns& runs);

}  // namespace regroup
