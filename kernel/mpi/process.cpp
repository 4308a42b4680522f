// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/process.hpp"

#include <algorithm>

#include "balancers/balancers.hpp"
#include "kernel/check.hpp"
#include "kernel/mpi/load_exchange.hpp"
#include "kernel/mpi/tags.hpp"
#include "kernel/random.hpp"

namespace regroup {

Process::Process(const Scenario& scenario, Parent& world)
    : scenario_(scenario),
      world_(world),
      waiter_(world.waiter()),
      rank_(world.rank()),
      item_time_(scenario),
      execute_item_(find_entry(walkers(), scenario.walker)->execute),
      groups_(initial_groups(scenario.ranks, scenario.group_size)),
      mailbox_(world.comm(), world.waiter()) {
  const std::size_t own = static_cast<std::size_t>(rank_ / scenario.group_size);
  GroupLife life;
  life.ranks = groups_[own];
  life.walker = walker_of(life.ranks, scenario.group_size);
  life.items_before = items_left_ = initial_items(scenario)[own];
  lives_.push_back(life);
  // Who does not lead at the start never will: groups only grow, and keep their lowest rank.
  if (leading()) {
    balancer_ = make_balancer(scenario.balancer);
  } else {
    groups_ = {};
  }
  if (scenario.communicator.empty()) {
    group_ = GroupComm(world.all().range(life.ranks.lo, life.ranks.hi));
    return;
  }
  make_ = maker(scenario.communicator);
  parent_collective_ = find_entry(strategies, scenario.communicator)->caller == Caller::parent;
  form(life.ranks);
}

void Process::run(const SharedClock& clock) {
  clock_ = &clock;
  while (!stopped_) {
    if (leading()) {
      lead();
    } else {
      orders_.finish(waiter_);
      obey(receive_order(group_, orders_, waiter_.patient()));
    }
  }
  finish_sends();
  group_ = GroupComm();
}

void Process::lead() {
  Knowledge known{life().ranks, scenario_.ranks, life().walker, items_left_, mailbox_.take(), 0};
  known.random = random_bits(scenario_.stream(), Purpose::decision,
                             static_cast<std::uint64_t>(rank_), ++decisions_);
  const Decision decision = balancer_->decide(known);
  if (decision.send) mailbox_.send(*decision.send, letters_);
  std::visit([&](const auto& next) { carry_out(next); }, decision.next);
}

void Process::carry_out(const Work& work) {
  check(work.items >= 1 && work.items <= items_left_, "a group works without items");
  if (!work.listening) {
    order({Order::Kind::work, {}, work.items});
    return;
  }
  for (std::int64_t item = 0; item < work.items; ++item) {
    order({Order::Kind::work, {}, 1});
    if (mailbox_.look()) return;
  }
}

void Process::carry_out(const Wait& wait) { mailbox_.wait(wait.at_most_s); }

void Process::carry_out(const Exchange&) {
  const std::vector<GroupLoad> loads =
      exchange_loads(groups_, life().ranks, items_left_, world_.comm(), waiter_);
  const std::size_t before = groups_.size();
  groups_ = balancer_->partition(loads);
  const auto mine = std::ranges::upper_bound(groups_, rank_, {}, &RankRange::lo) - 1;
  if (*mine != life().ranks) {
    const auto rightmost =
        std::ranges::upper_bound(loads, mine->hi, {},
                                 [](const GroupLoad& load) { return load.ranks.lo; }) -
        1;
    check(rightmost->ranks.hi == mine->hi, "a partition cuts a group in two");
    order({Order::Kind::regroup, *mine, rightmost->items_left});
  } else if (parent_collective_ && groups_.size() != before) {
    order({Order::Kind::attend, {}, 0});
  }
}

void Process::carry_out(const Merge& merge) {
  check(merge.ranks.contains(life().ranks), "a group merges without itself");
  check(!parent_collective_ || merge.ranks.size() == scenario_.ranks,
        "a parent-collective strategy cannot form one group alone");
  order({Order::Kind::regroup, merge.ranks, merge.items_left});
}

void Process::carry_out(const Stop&) {
  check(items_left_ == 0, "a group stops with items left");
  order({Order::Kind::stop, {}, 0});
}

void Process::order(const Order& order) {
  // Each member has long taken its last order. Not to complete them would let them pile up, which
  // SimGrid pays for with time in the square of their number.
  orders_.finish(waiter_);
  give(order, group_, orders_);
  obey(order);
}

void Process::obey(const Order& order) {
  switch (order.kind) {
    case Order::Kind::work:
      execute(order.items);
      break;
    case Order::Kind::regroup:
      join(order.ranks, order.items);
      break;
    case Order::Kind::attend:
      waiter_.blocking([&] { make_(world_, {}, tag_communicator); });
      break;
    case Order::Kind::stop:
      life().items_after = items_left_;
      life().ended_s = clock_->now();
      life().stopped = true;
      stopped_ = true;
      break;
  }
}

void Process::execute(std::int64_t items) {
  GroupLife& current = life();
  for (std::int64_t item = 0; item < items; ++item) {
    execute_item_(item_time_.seconds(current.ranks.size(), current.walker, items_left_));
    --items_left_;
  }
  current.executed_min = current.executed_max += items;
  current.busy_until_s = clock_->now();
}

void Process::join(RankRange ranks, std::int64_t items_left) {
  life().items_after = items_left_;
  life().ended_s = clock_->now();
  form(ranks);
  items_left_ = items_left;
  if (rank_ != ranks.lo) {
    balancer_.reset();
    groups_ = {};
  }
  GroupLife next;
  next.ranks = ranks;
  next.walker = walker_of(ranks, scenario_.group_size);
  next.regrouped = true;
  next.items_before = items_left;
  next.formed_s = next.busy_until_s = clock_->now();
  lives_.push_back(next);
}

void Process::finish_sends() {
  orders_.finish(waiter_);
  letters_.finish(waiter_);
}

void Process::form(RankRange ranks) {
  finish_sends();
  group_ = GroupComm();  // the old one is of no use to anybody now
  waiter_.blocking([&] { group_ = make_(world_, ranks, tag_communicator); });
  check(static_cast<bool>(group_), "a strategy formed no communicator");
}

}  // namespace regroup
