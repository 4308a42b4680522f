// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "engines/mpi/world.hpp"
#include "regroup/balancer.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// An allgather among the leaders of all groups: the items that their chains have left and, with
/// `walkers`, which walkers these are. All leaders call it with the same `groups`, from left to
/// right; `leader` is the caller. Returns `groups` with their present chains.
///
/// Point to point over the world communicator (Bruck et al., 1997: log2 rounds): a communicator of
/// leaders would have to be formed anew after each regrouping.
std::vector<Group> exchange_loads(std::span<const Group> groups, int leader, const Chain& chain,
                                  bool walkers, const World& world);

}  // namespace regroup
