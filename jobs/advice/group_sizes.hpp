// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "jobs/advice/contenders.hpp"
#include "jobs/advice/problems.hpp"

namespace regroup {

/// A number of ranks per group at the start, and what comes of it. Every walker keeps the items
/// that the workload gives it, so other numbers of ranks per group are other numbers of walkers:
/// what can be compared is the core time that an item takes.
struct GroupSize {
  int ranks;
  std::size_t walkers;
  double makespan_s;
  double core_ms_per_item;
};

/// Powers of two and the number that `problem` has, by `entrant`; two groups at least, but for the
/// latter. Left out is what the workload has no items for, or cannot be simulated.
std::vector<GroupSize> try_group_sizes(const Problem& problem, const Entrant& entrant);

/// `configured` where none saves more than `least_saving` of the core time; else the nearest to it
/// of those that take no more than that above the least.
int best_group_size(const std::vector<GroupSize>& sizes, int configured, double least_saving);

}  // namespace regroup
