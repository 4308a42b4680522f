// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/orders.hpp"

#include <algorithm>

#include "kernel/mpi/stage/tags.hpp"

namespace regroup {
namespace {

/// Orders run down a tree of this fan-out. Flat for usual groups: an inner member that is busy or
/// asleep would hold up everybody below it.
constexpr int fan_out = 32;

}  // namespace

void give(const Order& order, const GroupComm& group, Outbox& outbox) {
  const int first = group.rank() * fan_out + 1;
  const int end = std::min(first + fan_out, group.size());
  for (int member = first; member < end; ++member) {
    outbox.send(order, group.translate(member), tag_orders, group.comm());
  }
}

Order receive_order(const GroupComm& group, Outbox& outbox, const Waiter& waiter) {
  Order order;
  MPI_Request request = MPI_REQUEST_NULL;
  const int from = group.translate((group.rank() - 1) / fan_out);
  MPI_Irecv(&order, sizeof order, MPI_BYTE, from, tag_orders, group.comm(), &request);
  waiter.wait(request);
  give(order, group, outbox);
  return order;
}

}  // namespace regroup
