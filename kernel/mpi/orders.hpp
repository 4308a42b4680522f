// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "communicators/group_comm.hpp"
#include "communicators/rank_range.hpp"
#include "communicators/waiting/waiter.hpp"
#include "kernel/mpi/outbox.hpp"

namespace regroup {

/// What a leader tells the members of its group to do next.
struct Order {
  enum class Kind : std::int32_t {
    work,     ///< execute `items` items
    regroup,  ///< become a member of the group `ranks`, whose `walker` has `items` left
    attend,   ///< enter a parent-collective call that forms other groups, and stay as you are
    stop,     ///< leave the run
  };

  Kind kind = Kind::stop;
  RankRange ranks;
  std::int32_t walker = 0;  ///< of that group
  std::int64_t items = 0;
};

/// Passes `order` to the members of `group` that the caller serves; the leader's call starts it on
/// its way. Does not wait for them.
void give(const Order& order, const GroupComm& group, Outbox& outbox);

/// A member's side: waits for the next order and passes it on to the members that it serves.
Order receive_order(const GroupComm& group, Outbox& outbox, const Waiter& waiter);

}  // namespace regroup
