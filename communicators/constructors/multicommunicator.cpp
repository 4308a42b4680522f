// SPDX-License-Identifier: BSD-3-Clause
//
// multicommunicator: the three steps that the paper proposes to take the place of Algorithm 1's
// rounds: a multicommunicator of the members, each a group of its own, flattened into an
// intercommunicator, and that merged. Group-collective.
// Source: Dinan et al., EuroMPI 2011, section 5.2.
#include "communicators/multicommunicator.hpp"

#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"

namespace regroup::constructor {

GroupComm multicommunicator(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  std::vector<Members> alone;
  for (int place = 0; place < members.size(); ++place) {
    alone.push_back(Members::range(members[place], 1));
  }
  return GroupComm(Multicommunicator(parent, alone, tag).merge());
}

}  // namespace regroup::constructor
