// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "engines/mpi/mailbox.hpp"
#include "engines/mpi/tags.hpp"
#include "regroup/balancer.hpp"
#include "regroup/communicator.hpp"
#include "regroup/waiter.hpp"

namespace regroup {

/// What a leader tells the members of its group to do next.
struct Order {
  enum class Kind : std::int32_t {
    work,      ///< execute `items` items
    regroup,   ///< become a member of that of `groups` which has you
    exchange,  ///< the same after an exchange in which others came to lead: these are all groups
    next,      ///< take up the walker of the one group in `groups`, which is this one
    unpark,    ///< the same, where that walker was parked at the leader
    end,       ///< of your chain, whatever items it has left: all have observed enough
    attend,    ///< enter a parent-collective call that forms other groups, and stay as you are
    stop,      ///< leave the run
    recover,   ///< ranks were lost elsewhere: begin anew with the others that are left
  };

  Kind kind = Kind::stop;
  std::int64_t items = 0;
  std::vector<Group> groups;
};

/// Those of `groups` in which ranks of `part`, or its chain, go on.
std::vector<Group> concerning(const Group& part, const std::vector<Group>& groups);

/// Passes `order` under `tag` to the members of `group` that the caller serves, at first the
/// leader's. Does not wait for them.
void give(const Order& order, const GroupComm& group, Outbox& outbox, int tag = tag_orders);

/// A member's side: the order that comes next.
class NextOrder {
 public:
  explicit NextOrder(const GroupComm& group, int tag = tag_orders);

  /// Complete when its first part is there.
  MPI_Request& request() { return request_; }

  /// When the request is complete: the order, passed on to the members that the caller serves.
  Order take(Outbox& outbox, const Waiter& waiter);

 private:
  const GroupComm& group_;
  int tag_;
  Letter letter_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace regroup
