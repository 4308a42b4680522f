// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/orders.hpp"

#include <gtest/gtest.h>

#include "communicators/site.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {
namespace {

constexpr int orders = 40;

Order order_number(int number) {
  const auto kind = number % 2 == 0 ? Order::Kind::work : Order::Kind::regroup;
  return {kind, {number, number + 1}, number + 2, number};
}

/// `size` ranks of the world from `first` on.
GroupComm group(int first, int size) {
  static Site parent(MPI_COMM_WORLD, world().waiter);
  return GroupComm(parent.all().range(first, first + size - 1));
}

/// Its leader gives a number of orders; every member must get them all, in order.
void expect_obeyed(const GroupComm& group) {
  Outbox outbox;
  for (int i = 0; i < orders; ++i) {
    if (group.rank() == 0) {
      give(order_number(i), group, outbox);
      continue;
    }
    const Order order = receive_order(group, outbox, world().waiter);
    const Order expected = order_number(i);
    EXPECT_EQ(order.kind, expected.kind);
    EXPECT_EQ(order.ranks, expected.ranks);
    EXPECT_EQ(order.walker, expected.walker);
    EXPECT_EQ(order.items, expected.items);
  }
  outbox.finish(world().waiter);
}

// From 34 ranks on the tree has a second level.
TEST(Orders, ReachEveryMemberInTheirOrder) { expect_obeyed(group(0, world().ranks)); }

TEST(Orders, StayInTheirGroup) {
  for (const int size : {1, 2, 3}) {
    const int first = world().rank / size * size;
    expect_obeyed(group(first, std::min(size, world().ranks - first)));
  }
}

TEST(Orders, NeedNobodyInAGroupOfOne) {
  Outbox outbox;
  give(order_number(1), group(world().rank, 1), outbox);
  outbox.finish(world().waiter);
}

}  // namespace
}  // namespace regroup
