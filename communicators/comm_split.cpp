// SPDX-License-Identifier: BSD-3-Clause
//
// comm_split: MPI_Comm_split over the whole parent. The colour is the group's first member, the key
// the place among the members. Parent-collective. Source: MPI 4.1, section 7.4.2.
#include "communicators/make.hpp"
#include "communicators/members.hpp"

namespace regroup {

template <>
GroupComm make<row("comm_split")>(const Parent& parent, std::span<const int> members, int) {
  const bool joins = !members.empty();
  const int colour = joins ? members.front() : MPI_UNDEFINED;
  const int key = joins ? place_among(parent.comm, members) : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(parent.comm, colour, key, &comm);
  return GroupComm(CommHandle(comm, parent.count));
}

}  // namespace regroup
