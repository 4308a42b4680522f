// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/process.hpp"

#include <algorithm>

#include "kernel/check.hpp"
#include "kernel/mpi/stage/tags.hpp"
#include "kernel/numbers/random.hpp"
#include "kernel/rules.hpp"

namespace regroup {
namespace {

/// The one of `groups`, from left to right, that holds `rank`.
template <class Groups>
auto group_of(int rank, const Groups& groups) {
  const auto lowest = [](const auto& group) { return group.ranks.lo; };
  return std::ranges::upper_bound(groups, rank, {}, lowest) - 1;
}

/// What the groups of `loads` are once they have joined to `ranges`.
std::vector<KnownGroup> joined(const std::vector<GroupLoad>& loads,
                               const std::vector<RankRange>& ranges) {
  std::vector<KnownGroup> groups;
  groups.reserve(ranges.size());
  for (const RankRange& ranks : ranges) {
    const auto rightmost = group_of(ranks.hi, loads);
    check(rightmost->ranks.hi == ranks.hi, "a partition cuts a group in two");
    groups.push_back({ranks, rightmost->walker});
  }
  return groups;
}

}  // namespace

Process::Process(const Run& run, MakeCommunicator make, ExecuteItem execute_item, Site& world)
    : world_(world),
      waiter_(world.waiter()),
      rank_(world.rank()),
      stream_(run.stream),
      item_time_(run.item_time),
      execute_item_(execute_item),
      make_(make),
      parent_collective_(run.parent_collective()),
      mailbox_(world.comm(), world.waiter()) {
  const auto own = std::ranges::upper_bound(run.groups, rank_, {}, &RankRange::lo) - 1;
  GroupLife life;
  life.ranks = *own;
  life.walker = own->lo;
  life.items_before = items_left_ = run.items[static_cast<std::size_t>(own - run.groups.begin())];
  lives_.push_back(life);
  // Who does not lead at the start never will: groups only grow, and keep their lowest rank.
  if (leading()) {
    balancer_ = run.balancer->clone();
    for (const RankRange& ranks : run.groups) groups_.push_back({ranks, ranks.lo});
  }
  if (make_ == nullptr) {
    group_ = GroupComm(world.all().range(life.ranks.lo, life.ranks.hi));
  } else {
    form(life.ranks);
  }
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
  Knowledge known{life().ranks, world_.size(), life().walker, items_left_, mailbox_.take(), 0};
  known.random =
      random_bits(stream_, Purpose::decision, static_cast<std::uint64_t>(rank_), ++decisions_);
  const Decision decision = balancer_->decide(known);
  if (decision.send) mailbox_.send(*decision.send, letters_);
  std::visit([&](const auto& next) { carry_out(next); }, decision.next);
}

void Process::carry_out(const Work& work) {
  check(work.items >= 1 && work.items <= items_left_, "a group works without items");
  if (!work.listening) {
    order({Order::Kind::work, {}, 0, work.items});
    return;
  }
  for (std::int64_t item = 0; item < work.items; ++item) {
    order({Order::Kind::work, {}, 0, 1});
    if (mailbox_.look()) return;
  }
}

void Process::carry_out(const Wait& wait) { mailbox_.wait(wait.at_most_s); }

void Process::carry_out(const Exchange&) {
  const std::vector<GroupLoad> loads =
      exchange_loads(groups_, life().ranks, items_left_, world_.comm(), waiter_);
  const std::vector<RankRange> ranges = balancer_->partition(loads);
  const bool all_stay = ranges.size() == groups_.size();
  groups_ = joined(loads, ranges);
  const KnownGroup mine = *group_of(rank_, groups_);
  if (mine.ranks != life().ranks) {
    order({Order::Kind::regroup, mine.ranks, mine.walker,
           group_of(mine.ranks.hi, loads)->items_left});
  } else if (parent_collective_ && !all_stay) {
    order({Order::Kind::attend, {}, 0, 0});
  }
}

void Process::carry_out(const Merge& merge) {
  check(merge.ranks.contains(life().ranks), "a group merges without itself");
  check(!parent_collective_ || merge.ranks.size() == world_.size(),
        "a parent-collective strategy cannot form one group alone");
  order({Order::Kind::regroup, merge.ranks, merge.walker, merge.items_left});
}

void Process::carry_out(const Stop&) {
  check(items_left_ == 0, "a group stops with items left");
  order({Order::Kind::stop, {}, 0, 0});
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
      join(order);
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

void Process::join(const Order& order) {
  const std::size_t unread = leading() && mailbox_.look() ? 1 : 0;
  const auto wrong = violation({life().ranks, life().walker, items_left_, unread},
                               {order.ranks, order.walker, order.items});
  check(!wrong, wrong.value_or(""));
  life().items_after = items_left_;
  life().ended_s = clock_->now();
  form(order.ranks);
  items_left_ = order.items;
  if (rank_ != order.ranks.lo) {
    balancer_.reset();
    groups_ = {};
  }
  GroupLife next;
  next.ranks = order.ranks;
  next.walker = order.walker;
  next.regrouped = true;
  next.items_before = order.items;
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
  check(group_.size() == ranks.size(), "a strategy formed another communicator than was asked for");
}

}  // namespace regroup
