// SPDX-License-Identifier: BSD-3-Clause
//
// Runs that are so small that every order of events can be tried.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/catalog/resolve.hpp"
#include "kernel/explorer/explorer.hpp"

namespace regroup {

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
