// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "communicators/group_comm.hpp"
#include "communicators/range/parent.hpp"
#include "communicators/strategies.hpp"
#include "kernel/members.hpp"

namespace regroup {

/// Makes the communicator of `members`, ranks of the parent that hold the caller. Who must call at
/// the same time stands in the strategy's row, and which members it can form. In a
/// parent-collective strategy a rank that joins no group passes nobody and gets an empty
/// communicator. `tag`, 0 … Parent::max_tag, tells apart the calls of groups that overlap.
/// Throws std::invalid_argument for members that it cannot form.
using MakeCommunicator = GroupComm (*)(Parent& parent, const Members& members, int tag);

template <std::size_t Row>
GroupComm make(Parent& parent, const Members& members, int tag);

/// The function of the strategy `name`. Throws std::invalid_argument where there is none, or the
/// MPI library lacks its calls.
MakeCommunicator maker(std::string_view name);

}  // namespace regroup
