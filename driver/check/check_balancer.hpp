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
int check_balancer(const AskedCheck& asked, const Catalog& catalog = standard_catalog());

/// A run in virtual time that is drawn from `number`: 1 to 1,000 ranks with any workload, speed-up
/// and walkers, and a balancer drawn from `balancers`, rows of `catalog`. The same from the same.
Scenario random_scenario(std::uint64_t number, const std::vector<BalancerEntry>& balancers,
                         const Catalog& catalog = standard_catalog());

// Runs that are so small that every order of events can be tried.

/// The balancer of the row `entry` with every combination of those values of its options that can
/// make a difference in small runs: all words, the integers 1 to 3, else what is usual.
std::vector<Choice> variants(const BalancerEntry& entry);

/// "collective(exchange_interval=2)": a balancer with all its options.
std::string name_of_variant(const Choice& balancer);

/// All runs of so many groups in which each walker has 0 to `most_items` items.
struct SmallRuns {
  int groups = 1;
  std::int64_t most_items = 1;
  int group_size = 1;
  int waiting = 0;  ///< walkers behind those of the groups

  friend bool operator==(const SmallRuns&, const SmallRuns&) = default;
};

/// "3 groups of 2, 1 walker behind, 0 to 2 items each".
std::string describe(const SmallRuns& runs);

/// Runs that grow slowly, from a group with one item: what a balancer is wrong in shows first in
/// the smallest of them, mostly.
const std::vector<SmallRuns>& small_runs();

/// Every order of events in `runs` by `balancer`. Where it asks for nodes, every second group is on
/// the other one. Throws std::invalid_argument where `catalog` has no such balancer.
Exploration explore(const Choice& balancer, const SmallRuns& runs,
                    const Catalog& catalog = standard_catalog());

}  // namespace regroup
