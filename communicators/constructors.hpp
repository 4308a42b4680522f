// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>

#include "regroup/communicator.hpp"

namespace regroup {

/// Whether there are members, for group-collective strategies. Throws std::invalid_argument if
/// there are members and the caller is not one of them.
inline bool joins(const Site& parent, const Members& members) {
  if (members.empty()) return false;
  if (members.index_of(parent.rank()) < 0) {
    throw std::invalid_argument("the caller is not a member of the group");
  }
  return true;
}

namespace constructor {

GroupComm intercomm_merge(Site& parent, const Members& members, int tag);
GroupComm multicommunicator(Site& parent, const Members& members, int tag);

}  // namespace constructor
}  // namespace regroup
