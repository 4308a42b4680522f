// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "jobs/catalog/resolve.hpp"

namespace regroup {

/// A run in virtual time that is drawn from `number`: 1 to 1,000 ranks with any workload, speed-up
/// and walkers, and a balancer drawn from `balancers`, rows of `catalog`. The same from the same.
Scenario random_scenario(std::uint64_t number, const std::vector<BalancerEntry>& balancers,
                         const Catalog& catalog = standard_catalog());

}  // namespace regroup
