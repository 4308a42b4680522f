// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/orders.hpp"

#include <gtest/gtest.h>

#include "regroup/communicator.hpp"
#include "tests/mpi/fixtures.hpp"

namespace regroup::orders_test {
namespace {

constexpr int orders = 40;

/// Returns an order with a number, with one group, or with two groups with gaps; the last is long.
Order order_number(int number) {
  if (number % 3 == 0) return {Order::Kind::work, number + 1, {}};
  const Chain chain{number + 2, number};
  if (number % 3 == 1) return {Order::Kind::regroup, 0, {{{number, number + 1}, chain, {}}}};
  return {Order::Kind::exchange,
          0,
          {{strided(0, 10 * number, 2), chain, {}}, {strided(1, number, 2), {}, {-number, 7}}}};
}

/// Returns the group of `size` ranks of the world from `first` on.
GroupComm group(int first, int size) {
  static Site parent(MPI_COMM_WORLD, world().waiter);
  return GroupComm(parent.all().range(first, first + size - 1));
}

/// Lets the leader give a number of orders; every member must receive all of them, in order.
void expect_obeyed(const GroupComm& group) {
  Outbox outbox;
  for (int i = 0; i < orders; ++i) {
    if (group.rank() == 0) {
      give(order_number(i), group, outbox);
      continue;
    }
    NextOrder next(group);
    world().waiter.wait(next.request());
    const Order order = next.take(outbox, world().waiter);
    const Order expected = order_number(i);
    EXPECT_EQ(order.kind, expected.kind);
    EXPECT_EQ(order.items, expected.items);
    EXPECT_EQ(order.groups, expected.groups);
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
}  // namespace regroup::orders_test
