// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "engines/mpi/world.hpp"
#include "regroup/balancer.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// Gathers the number of items left of each chain and, with `walkers`, its walker, on the leaders
/// of all groups. All leaders call it with the same `groups`, from left to right; `leader` is the
/// caller. Returns `groups` with their current chains.
///
/// Sends point to point over the world communicator (Bruck et al., 1997: log2 rounds), since a
/// communicator of the leaders would have to be created again after each regrouping.
std::vector<Group> exchange_loads(std::span<const Group> groups, int leader, const Chain& chain,
                                  bool walkers, const World& world);

}  // namespace regroup
