// SPDX-License-Identifier: BSD-3-Clause
//
// How many items each walker has: the imbalance that balancers are there to remove.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/catalog.hpp"
#include "kernel/rank_range.hpp"

namespace regroup {

struct WorkloadEntry : Entry {
  /// The items of every group in `groups` (from left to right) under `seed`.
  std::vector<std::int64_t> (*items)(const Options& options, std::span<const RankRange> groups,
                                     std::uint64_t seed);
};

/// The one list of workloads.
std::span<const WorkloadEntry> workloads();

}  // namespace regroup
