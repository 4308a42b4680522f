// SPDX-License-Identifier: BSD-3-Clause
//
// intercomm_merge: Algorithm 1 of the paper, which uses only functions of MPI 1. Every member
// starts alone; in each round, pairs of neighbouring blocks merge:
//
//   for size = 1, 2, 4, … < members
//     block ← place / size;  partner ← block xor 1
//     if the partner block exists
//       MPI_Intercomm_create between the two blocks, with their first members as leaders
//       MPI_Intercomm_merge, with the right block high, to keep the order of members
//
// Group-collective. Source: Dinan et al., EuroMPI 2011, Algorithm 1.
#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm intercomm_merge(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  const int place = members.index_of(parent.rank());
  MPI_Comm alone = MPI_COMM_NULL;
  // MPI_Comm_dup would also copy the attributes of MPI_COMM_SELF.
  MPI_Comm_split(MPI_COMM_SELF, 0, 0, &alone);
  CommHandle comm(alone, parent.communicators());
  for (int size = 1; size < members.size(); size *= 2) {
    const int block = place / size;
    const int partner_first = (block ^ 1) * size;
    if (partner_first >= members.size()) continue;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Intercomm_create(comm.get(), 0, parent.comm(), members[partner_first], tag, &between);
    const CommHandle intercomm(between, parent.communicators());
    MPI_Comm merged = MPI_COMM_NULL;
    MPI_Intercomm_merge(intercomm.get(), block % 2 == 1, &merged);
    comm = CommHandle(merged, parent.communicators());
  }
  return GroupComm(std::move(comm));
}

}  // namespace regroup::constructor
