// SPDX-License-Identifier: BSD-3-Clause
#include "regroup/communicator.hpp"

#include <stdexcept>
#include <vector>

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

CommHandle to_mpi(const range::Comm& comm, int tag, CommunicatorCount& count) {
  if (comm.rank() < 0) throw std::invalid_argument("the caller is no member of the communicator");
  range::require_within("the tag", tag, 0, range::Parent::max_tag);
  std::vector<int> ranks;
  ranks.reserve(static_cast<std::size_t>(comm.size()));
  for (int member = 0; member < comm.size(); ++member) ranks.push_back(comm.parent_rank(member));
  const range::Parent& parent = comm.parent();
  const GroupHandle group = group_of(parent.comm(), Members::list(std::move(ranks)));
  MPI_Comm made = MPI_COMM_NULL;
  int code = MPI_SUCCESS;
  parent.waiter().blocking(
      [&] { code = MPI_Comm_create_group(parent.comm(), group.get(), tag, &made); });
  range::throw_on_error(code);
  return {made, count};
}

}  // namespace regroup
