// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "communicators/group_comm.hpp"
#include "communicators/members.hpp"
#include "communicators/site.hpp"

namespace regroup {

/// Makes the communicator of `members`, ranks of the parent that hold the caller. Who must call at
/// the same time stands in the strategy's row, and which members it can form. In a
/// parent-collective strategy a rank that joins no group passes nobody and gets an empty
/// communicator. `tag`, 0 … range::Parent::max_tag, tells apart the calls of groups that overlap.
/// Throws std::invalid_argument for members that it cannot form.
using MakeCommunicator = GroupComm (*)(Site& parent, const Members& members, int tag);

/// The code of a strategy.
struct Constructor {
  std::string_view name;
  MakeCommunicator make;
};

/// Those of all strategies whose calls the MPI library has.
std::span<const Constructor> constructors();

/// The code of `strategy`. Throws std::invalid_argument where the MPI library lacks its calls.
MakeCommunicator maker(std::string_view strategy);

}  // namespace regroup
