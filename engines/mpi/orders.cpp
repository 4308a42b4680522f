// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/orders.hpp"

#include <algorithm>
#include <iterator>

#include "engines/mpi/tags.hpp"

namespace regroup {
namespace {

/// Fan-out of the tree by which orders are forwarded. The tree is flat for usual groups, since an
/// inner member that is busy or asleep delays all members below it.
constexpr int fan_out = 32;

int giver(const GroupComm& group) { return group.translate((group.rank() - 1) / fan_out); }

void pass(const Letter& letter, const GroupComm& group, Outbox& outbox, int tag) {
  const int first = group.rank() * fan_out + 1;
  const int end = std::min(first + fan_out, group.size());
  for (int member = first; member < end; ++member) {
    outbox.send(letter, group.translate(member), tag, group.comm());
  }
}

}  // namespace

std::vector<Group> concerning(const Group& part, const std::vector<Group>& groups) {
  std::vector<Group> some;
  std::ranges::copy_if(groups, std::back_inserter(some), [&](const Group& group) {
    return group.ranks.overlaps(part.ranks) ||
           (part.chain.items_left > 0 && group.chain.walker == part.chain.walker);
  });
  return some;
}

void give(const Order& order, const GroupComm& group, Outbox& outbox, int tag) {
  Letter letter;
  letter.put((static_cast<std::int64_t>(order.groups.size()) << 8) |
             static_cast<std::int64_t>(order.kind));
  if (order.kind == Order::Kind::work) letter.put(order.items);
  for (const Group& next : order.groups) letter.put(next);
  pass(letter, group, outbox, tag);
}

NextOrder::NextOrder(const GroupComm& group, int tag) : group_(group), tag_(tag) {
  begin_to_receive(letter_, giver(group_), tag_, group_.comm(), request_);
}

Order NextOrder::take(Outbox& outbox, const Waiter& waiter) {
  receive_rest(letter_, giver(group_), tag_, group_.comm(), waiter);
  pass(letter_, group_, outbox, tag_);
  Order order;
  const std::int64_t both = letter_.take();
  order.kind = static_cast<Order::Kind>(both & 0xff);
  order.groups.resize(static_cast<std::size_t>(both >> 8));
  if (order.kind == Order::Kind::work) order.items = letter_.take();
  for (Group& next : order.groups) next = letter_.take_group();
  return order;
}

}  // namespace regroup
