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

/// Which balancer is to be checked, and how much of what it can come to is tried.
struct AskedCheck {
  std::string balancer;
  double seconds = 20;  ///< for each of its variants; what is begun is ended, the first always
  int runs = 1000;      ///< random ones in virtual time
};

/// Explores small runs of a balancer in every order of events, and large ones at random; prints
/// what was tried and, where something is wrong, the shortest way to it. Answers the exit code: 0,
/// or 1 where it is wrong. Throws UserError where `catalog` has no such balancer.
int check_balancer(const AskedCheck& asked, const Catalog& catalog);

/// A run in virtual time that is drawn from `number`: 1 to 1,000 ranks with any workload, speed-up
/// and walkers, by `balancer`, or by any where that is nullptr. The same from the same.
Task random_run(std::uint64_t number, const BalancerEntry* balancer, const Catalog& catalog);

// Runs that are so small that every order of events can be tried.

/// The balancer of the row `entry` with every combination of those values of its options that can
/// make a difference in small runs: all words, the integers 1 to 3, else what is usual.
std::vector<Chosen<BalancerEntry>> variants(const BalancerEntry& entry);

/// All runs of so many groups in which each walker has 0 to `most_items` items.
struct SmallRuns {
  int groups = 1;
  std::int64_t most_items = 1;
  int group_size = 1;
  int waiting = 0;  ///< walkers behind those of the groups
  int larger = 0;   ///< groups, from the left, that have one rank more
  int losses = 0;   ///< ranks that are lost, at any moment

  friend bool operator==(const SmallRuns&, const SmallRuns&) = default;
};

/// "3 groups of 2, 1 walker behind, 0 to 2 items each".
std::string describe(const SmallRuns& runs);

/// From the smallest on, which show most mistakes.
const std::vector<SmallRuns>& small_runs();

/// Every order of events in `runs` by `balancer`. Where it asks for nodes, every second group is on
/// the other one.
Exploration explore(const Chosen<BalancerEntry>& balancer, const SmallRuns& runs);

}  // namespace regroup
