// SPDX-License-Identifier: BSD-3-Clause
//
// range: a range communicator, first, first + stride, … of the parent, made by each member for
// itself in constant time. No communication, no MPI communicator. Group-collective only in that
// nobody else need know. Source: Axtmann, Wiebigke, Sanders, Lightweight MPI Communicators with
// Applications to Perfectly Balanced Quicksort, IPDPS 2018 (RBC).
#include <stdexcept>

#include "communicators/constructors.hpp"
#include "communicators/joins.hpp"

namespace regroup::constructor {

GroupComm range(Site& parent, const Members& members, int) {
  if (!members.is_range()) throw std::invalid_argument("the members are no range of the parent");
  if (!joins(parent, members)) return {};
  const int last = members[members.size() - 1];
  return GroupComm(parent.all().range(members[0], last, members.stride()));
}

}  // namespace regroup::constructor
