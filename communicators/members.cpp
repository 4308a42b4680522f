// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/members.hpp"

#include <algorithm>
#include <stdexcept>

namespace regroup {

GroupHandle group_of(MPI_Comm comm, std::span<const int> members) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm_group(comm, &all);
  const GroupHandle owner(all);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group);
  return GroupHandle(group);
}

int place_among(MPI_Comm comm, std::span<const int> members) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto place = std::ranges::find(members, rank);
  if (place == members.end()) throw std::invalid_argument("the caller is not among the members");
  return static_cast<int>(place - members.begin());
}

}  // namespace regroup
