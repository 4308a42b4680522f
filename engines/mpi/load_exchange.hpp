// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// An allgather among the leaders of all groups: each gives the items that its `chain` has left and
/// gets those of all and, with `walkers`, also which walkers they have, which change between
/// exchanges where some wait. All leaders must call it with the same `groups`, by their leaders
/// from left to right; `leader` is the caller. Answers `groups` with their chains as they are now.
///
/// Only leaders take part; their members learn the decision from them. It goes point to point over
/// the world communicator (Bruck et al., 1997: log2 rounds), because the leaders change with every
/// regrouping and a communicator of them would have to be formed anew each time.
std::vector<Group> exchange_loads(std::span<const Group> groups, int leader, const Chain& chain,
                                  bool walkers, MPI_Comm world, const Waiter& waiter);

}  // namespace regroup
