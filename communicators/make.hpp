// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "communicators/group_comm.hpp"
#include "communicators/members.hpp"
#include "communicators/site.hpp"
#include "communicators/strategies.hpp"

namespace regroup {

/// The code of a strategy of Regroup.
struct Constructor {
  std::string_view name;
  MakeCommunicator make;
};

/// Those of all strategies whose calls the MPI library has.
std::span<const Constructor> constructors();

/// The code of the strategy of that name. Throws std::invalid_argument where the MPI library lacks
/// its calls.
MakeCommunicator maker(std::string_view strategy);
/// … or what its row brings along.
MakeCommunicator maker(const Strategy& strategy);

}  // namespace regroup
