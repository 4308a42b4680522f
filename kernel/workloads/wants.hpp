// SPDX-License-Identifier: BSD-3-Clause
//
// How many ranks each walker would like to have, as tasks of a workflow say it: only balancers that
// form groups for walkers that wait heed it (balancers/batch.hpp).
#pragma once

#include "kernel/workloads/workload.hpp"

namespace regroup {

using Wants = std::vector<int>;

struct WantsEntry : Entry {
  /// What each of `groups` wants: those of walkers with `group_size` ranks each, from the first on.
  /// Throws std::invalid_argument where a file that the options name does not fit.
  Wants (*of)(const Options& options, Groups groups, std::uint64_t seed);
  bool draws;  ///< whether it depends on `seed`
};

/// The one list of them.
std::span<const WantsEntry> wants();

}  // namespace regroup
