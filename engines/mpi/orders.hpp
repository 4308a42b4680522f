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

/// The next action that a leader orders the members of its group to take.
struct Order {
  enum class Kind : std::int32_t {
    work,      ///< execute `items` items
    regroup,   ///< join the one of `groups` that contains this rank
    exchange,  ///< the same after an exchange with new leaders; `groups` contains all groups
    next,      ///< take the walker of the only group in `groups`, which has the same ranks
    unpark,    ///< the same, but the walker was parked at the leader
    end,       ///< end the chain, even with items left: the chains have observed enough
    attend,    ///< take part in a parent-collective call that creates other groups
    stop,      ///< leave the run
    recover,   ///< recover from a loss of ranks in other groups
  };

  Kind kind = Kind::stop;
  std::int64_t items = 0;
  std::vector<Group> groups;
};

/// Returns those of `groups` that contain ranks of `part` or continue its chain.
std::vector<Group> concerning(const Group& part, const std::vector<Group>& groups);

/// Called by the leader of `group`: sends `order` with `tag` to the members, which forward it to
/// others. Does not wait for them.
void give(const Order& order, const GroupComm& group, Outbox& outbox, int tag = tag_orders);

/// Receives the next order on a member.
class NextOrder {
 public:
  explicit NextOrder(const GroupComm& group, int tag = tag_orders);

  /// Complete when the first part of the order has arrived.
  MPI_Request& request() { return request_; }

  /// Called when the request is complete: returns the order, and forwards it to other members.
  Order take(Outbox& outbox, const Waiter& waiter);

 private:
  const GroupComm& group_;
  int tag_;
  Letter letter_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace regroup
