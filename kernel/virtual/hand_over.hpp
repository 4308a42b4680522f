// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernel/outcome.hpp"
#include "kernel/run.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/virtual/leaders.hpp"

namespace regroup {

/// The seconds that it takes to bring the state of its walker to all of `group`, which forms of
/// `parts`, the leaders of other groups. Written down in `outcome`.
double hand_over_s(std::span<const int> parts, const Group& group, const Run& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome);

}  // namespace regroup
