// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "kernel/balancer.hpp"

namespace regroup {

/// The one list of balancers.
std::span<const BalancerEntry> balancers();

}  // namespace regroup
