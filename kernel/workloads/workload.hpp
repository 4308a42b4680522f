// SPDX-License-Identifier: BSD-3-Clause
//
// How many items each walker has: the imbalance that balancers are there to remove.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "communicators/rank_range.hpp"
#include "kernel/options.hpp"

namespace regroup {

using Items = std::vector<std::int64_t>;
using Groups = std::span<const RankRange>;

struct WorkloadEntry : Entry {
  /// The items of every group in `groups` (from left to right, at least one) under `seed`. Throws
  /// std::invalid_argument where a file that the options name does not fit.
  Items (*items)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether the items depend on `seed`
};

/// The one list of workloads.
std::span<const WorkloadEntry> workloads();

/// The option that most workloads share. Its fallback is the mean of the paper's workload.
inline constexpr OptionSpec mean_option =
    integer_option("mean_items", "140", 0, 1e9, "items of a group on average");

}  // namespace regroup
