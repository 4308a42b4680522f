// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "communicators/waiting/waiter.hpp"
#include "kernel/balancer.hpp"

namespace regroup {

/// A group as every leader knows it between two exchanges.
struct KnownGroup {
  RankRange ranks;
  int walker = 0;
};

/// An allgather among the leaders of all groups: each gives the items that its group has left and
/// gets the loads of all, from left to right. All leaders must call it with the same `groups`;
/// `own` is the caller's.
///
/// Only leaders take part; their members learn the decision from them. It goes point to point over
/// the world communicator (Bruck et al., 1997: log2 rounds), because the leaders change with every
/// regrouping and a communicator of them would have to be formed anew each time.
std::vector<GroupLoad> exchange_loads(std::span<const KnownGroup> groups, RankRange own,
                                      std::int64_t items_left, MPI_Comm world,
                                      const Waiter& waiter);

}  // namespace regroup
