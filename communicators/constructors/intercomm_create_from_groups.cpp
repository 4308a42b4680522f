// SPDX-License-Identifier: BSD-3-Clause
//
// intercomm_create_from_groups: the two halves of the members form an intercommunicator by
// MPI_Intercomm_create_from_groups, from a session, and MPI_Intercomm_merge joins them. One member
// alone has no other half: then create_from_group. Group-collective. With MPICH 4.0, members that
// have no context left crash here.
// Source: MPI 4.1, section 7.6.2.
#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"
#include "communicators/session.hpp"

namespace regroup::constructor {
namespace {

Members part(const Members& members, int begin, int end) {
  std::vector<int> ranks;
  for (int place = begin; place < end; ++place) ranks.push_back(members[place]);
  return Members::list(std::move(ranks));
}

}  // namespace

GroupComm intercomm_create_from_groups(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.size() == 1) return create_from_group(parent, members, tag);
  const int half = (members.size() + 1) / 2;
  const bool high = members.place_of(parent.rank()) >= half;
  const GroupHandle low_half = session_group(parent, part(members, 0, half));
  const GroupHandle high_half = session_group(parent, part(members, half, members.size()));
  const ParentsErrors errors(parent);
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Intercomm_create_from_groups(
      high ? high_half.get() : low_half.get(), 0, high ? low_half.get() : high_half.get(), 0,
      string_tag(tag).c_str(), MPI_INFO_NULL, errors.handler(), &between);
  const CommHandle intercomm(between, parent.communicators());
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Intercomm_merge(intercomm.get(), high ? 1 : 0, &merged);
  return GroupComm(CommHandle(merged, parent.communicators()));
}

}  // namespace regroup::constructor
