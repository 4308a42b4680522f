// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <span>
#include <string_view>

#include "communicators/group_comm.hpp"
#include "communicators/strategies.hpp"

namespace regroup {

/// Where communicators are made from.
struct Parent {
  MPI_Comm comm;
  CommunicatorCount& count;
};

/// Makes the communicator of `members`, which are ranks of the parent in their new order and hold
/// the caller. Who must call at the same time stands in the strategy's row. In a parent-collective
/// strategy a rank that joins no group passes no members and gets an empty communicator. `tag`
/// tells apart the calls of groups that overlap.
using MakeCommunicator = GroupComm (*)(const Parent& parent, std::span<const int> members, int tag);

template <std::size_t Row>
GroupComm make(const Parent& parent, std::span<const int> members, int tag);

/// The function of the strategy `name`. Throws std::invalid_argument where there is none.
MakeCommunicator maker(std::string_view name);

}  // namespace regroup
