// SPDX-License-Identifier: BSD-3-Clause
//
// range: a range communicator, first, first + stride, … of the parent, made by each member for
// itself in constant time. No communication, no MPI communicator. Group-collective only in that
// nobody else need know. Source: Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with
// Applications to Perfectly Balanced Quicksort, IPDPS 2018 (RBC).
#include <stdexcept>

#include "communicators/constructors.hpp"

namespace regroup::constructor {

GroupComm range(Site& parent, const Members& members, int) {
  if (members.empty()) return {};
  if (!members.is_range()) throw std::invalid_argument("the members are no range of the parent");
  const int last = members[members.size() - 1];
  const range::Comm range = parent.all().range(members[0], last, members.stride());
  if (range.rank() < 0) throw std::invalid_argument("the caller is no member of the group");
  return GroupComm(range);
}

}  // namespace regroup::constructor
