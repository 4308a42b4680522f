// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/communicator.hpp"

namespace regroup {

GroupHandle subgroup(MPI_Group all, const Members& members) {
  MPI_Group group = MPI_GROUP_NULL;
  if (members.is_range() && !members.empty()) {
    int range[1][3] = {{members[0], members[members.size() - 1], members.stride()}};
    MPI_Group_range_incl(all, 1, range, &group);
    return GroupHandle(group);
  }
  MPI_Group_incl(all, members.size(), members.ranks().data(), &group);
  return GroupHandle(group);
}

GroupHandle group_of(MPI_Comm comm, const Members& members) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  const GroupHandle owner(all);
  return subgroup(all, members);
}

}  // namespace regroup
