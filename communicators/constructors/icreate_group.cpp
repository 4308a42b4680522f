// SPDX-License-Identifier: BSD-3-Clause
//
// icreate_group: our nonblocking creation after the proposal in section VI of the RBC paper, waited
// for: a range of the parent is there at once, any other group when its members have agreed on a
// channel. Whoever calls strategies has one operation of a group under way at a time, in the same
// order on all its processes, so that ranges may share channels. Group-collective. Source: see
// range/creation.hpp.
#include <vector>

#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"

namespace regroup::constructor {

GroupComm icreate_group(Site& parent, const Members& members, int tag) {
  if (!joins(parent, members)) return {};
  if (members.is_range()) {
    const int last = members[members.size() - 1];
    return GroupComm(icreate_group(parent.all(), members[0], last, members.stride(), tag,
                                   range::Isolation::by_tags));
  }
  std::vector<int> ranks;
  for (int place = 0; place < members.size(); ++place) ranks.push_back(members[place]);
  range::GroupCreation creation = icreate_group(parent.all(), ranks, tag);
  creation.wait();
  return GroupComm(std::move(creation));
}

}  // namespace regroup::constructor
