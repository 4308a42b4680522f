// SPDX-License-Identifier: BSD-3-Clause
//
// comm_split: MPI_Comm_split over the whole parent. The colour is the group's first member, the key
// the place among the members. A caller that is none of them joins nobody. Parent-collective.
// Source: MPI 4.1, section 7.4.2.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm comm_split(Site& parent, const Members& members, int) {
  const int key = members.place_of(parent.rank());
  const int colour = key < 0 ? MPI_UNDEFINED : members[0];
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(parent.comm(), colour, key, &comm);
  return GroupComm(CommHandle(comm, parent.communicators()));
}

}  // namespace regroup::constructor
