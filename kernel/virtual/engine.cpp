// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/virtual/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <stdexcept>

#include "kernel/numbers/random.hpp"
#include "kernel/rules.hpp"
#include "kernel/virtual/costs.hpp"
#include "kernel/virtual/events.hpp"
#include "kernel/virtual/pace.hpp"

namespace regroup {
namespace {

constexpr unsigned events_between_looks = 1 << 12;

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

class Simulation {
  using Group = SimulatedGroup;

 public:
  Simulation(const Run& run, const Costs& costs)
      : run_(run), costs_(costs), pace_(run.item_time, costs_) {
    groups_.resize(run.groups.size());
    places_.assign(static_cast<std::size_t>(run.ranks), nobody);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      groups_[i].ranks = run.groups[i];
      groups_[i].walker = run.groups[i].lo;
      groups_[i].items_left = run.items[i];
      groups_[i].balancer = run.balancer->clone();
      places_[static_cast<std::size_t>(run.groups[i].lo)] = static_cast<std::uint32_t>(i);
      begin_life(groups_[i], false, 0);
    }
    running_ = groups_.size();
  }

  Outcome outcome(const std::function<bool()>& stop) {
    for (Group& group : groups_) decide(group);
    for (unsigned taken = 1; !events_.empty(); ++taken) {
      if (taken % events_between_looks == 0 && stop && stop()) throw Stopped();
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      if (event.kind == Event::Kind::message) {
        deliver(groups_[event.group], event.message);
      } else if (event.order == groups_[event.group].order) {
        wake(groups_[event.group]);
      }
    }
    if (running_ != 0) throw std::logic_error(standstill());
    outcome_.waiting = "virtual";
    outcome_.events = made_;
    return std::move(outcome_);
  }

 private:
  std::size_t index(const Group& group) const {
    return static_cast<std::size_t>(&group - groups_.data());
  }
  /// The group that `rank` led at the start; groups keep their leaders.
  Group& led_by(int rank) { return groups_.at(places_.at(static_cast<std::size_t>(rank))); }

  void decide(Group& group) {
    ++group.order;
    group.doing = Group::Doing::deciding;
    Knowledge known{group.ranks, run_.ranks, group.walker, group.items_left, {}, 0};
    if (!group.inbox.empty()) {
      known.message = group.inbox.front();
      group.inbox.erase(group.inbox.begin());
    }
    known.random = random_bits(run_.stream, Purpose::decision,
                               static_cast<std::uint64_t>(group.ranks.lo), group.order);
    const Decision decision = group.balancer->decide(known);
    if (decision.send) send(*decision.send);
    std::visit([&](const auto& next) { follow(group, next); }, decision.next);
  }

  void follow(Group& group, const Work& work) {
    if (work.items < 1 || work.items > group.items_left) broken(group, "works without items");
    group.doing = Group::Doing::working;
    group.work = work;
    begin_stretch(group, work.listening ? now_ : after(now_, tell(group)));
  }

  static bool interrupted(const Group& group) {
    return group.work.listening && !group.inbox.empty();
  }

  void begin_stretch(Group& group, Ticks at) {
    const std::int64_t items = interrupted(group) ? 1 : pace_.longest(group.work.items);
    group.stretch = {at,    group.ranks.size(),  group.walker, group.items_left,
                     items, group.work.listening};
    wake_at(group, pace_.end(group.stretch));
  }

  void follow(Group& group, const Wait& wait) {
    group.doing = Group::Doing::waiting;
    if (!group.inbox.empty()) {
      wake_at(group, now_);
    } else if (wait.at_most_s) {
      wake_at(group, after(now_, std::max<Ticks>(1, ticks(*wait.at_most_s))));
    }
  }

  void follow(Group& group, const Exchange&) {
    group.doing = Group::Doing::exchanging;
    if (++exchanging_ == running_) exchange();
  }

  void follow(Group& group, const Merge& merge) {
    if (!merge.ranks.contains(group.ranks)) broken(group, "merges without itself");
    end_life(group, now_);
    group.doing = Group::Doing::merging;
    Group& leader = led_by(merge.ranks.lo);
    leader.gathered += group.ranks.size();
    leader.gathered_at = std::max(leader.gathered_at, after(now_, tell(group)));
    if (leader.gathered == merge.ranks.size()) regroup(merge, leader.gathered_at);
  }

  void follow(Group& group, const Stop&) {
    if (group.items_left != 0 || !group.inbox.empty()) broken(group, "stops too early");
    end_life(group, now_);
    outcome_.lives[group.life].stopped = true;
    group.doing = Group::Doing::stopped;
    --running_;
  }

  /// All parts have come by the time `at`: the lowest goes on as the leader of all, the others are
  /// no more.
  void regroup(const Merge& merge, Ticks at) {
    Group& leader = led_by(merge.ranks.lo);
    const GroupState whole{merge.ranks, merge.walker, merge.items_left};
    for (int rank = merge.ranks.lo; rank <= merge.ranks.hi;) {
      Group& part = led_by(rank);
      keep_law({part.ranks, part.walker, part.items_left, part.inbox.size()}, whole);
      rank = part.ranks.hi + 1;
      if (&part == &leader) continue;
      part.doing = Group::Doing::gone;
      part.balancer.reset();
      --running_;
    }
    leader.gathered = 0;
    leader.gathered_at = 0;
    leader.ranks = merge.ranks;
    leader.walker = merge.walker;
    leader.items_left = merge.items_left;
    at = after(at, ticks(costs_.create(leader.ranks.size())));
    begin_life(leader, true, at);
    go_on(leader, at);
  }

  void go_on(Group& group, Ticks at) {
    group.doing = Group::Doing::deciding;
    ++group.order;
    wake_at(group, at);
  }

  Ticks tell(const Group& group) const { return ticks(costs_.tell(group.ranks.size())); }

  void exchange() {
    exchanging_ = 0;
    std::vector<Group*> present;
    std::vector<GroupLoad> loads;
    for (int rank = 0; rank < run_.ranks;) {
      Group& group = led_by(rank);
      rank = group.ranks.hi + 1;
      present.push_back(&group);
      loads.push_back({group.ranks, group.items_left, group.walker});
    }
    const std::vector<RankRange> ranges = run_.balancer->partition(loads);
    const Ticks known = after(now_, ticks(costs_.exchange(present.size())));
    // Where every rank must take part in every regrouping, those that stay as they are pay too.
    const bool all_attend = run_.parent_collective() && ranges.size() != present.size();
    auto part = present.begin();
    for (const RankRange& range : ranges) {
      if (part == present.end()) broken(*present.back(), "is followed by more in the partition");
      Group& leader = **part;
      if (leader.ranks == range) {
        const double attending = costs_.tell(range.size()) + costs_.create(range.size());
        go_on(leader, all_attend ? after(known, ticks(attending)) : known);
        ++part;
        continue;
      }
      const Group* rightmost = nullptr;
      Ticks gathered = known;
      for (; part != present.end() && range.contains((*part)->ranks); ++part) {
        end_life(**part, known);
        rightmost = *part;
        gathered = std::max(gathered, after(known, tell(**part)));
      }
      if (rightmost == nullptr) broken(leader, "is not in the partition");
      regroup({range, rightmost->walker, rightmost->items_left}, gathered);
    }
  }

  void deliver(Group& group, const Message& message) {
    if (group.doing == Group::Doing::gone || group.doing == Group::Doing::stopped) {
      broken(group, "gets a message after its end");
    }
    group.inbox.push_back(message);
    if (group.doing == Group::Doing::waiting) {
      ++group.order;
      wake(group);
    } else if (group.doing == Group::Doing::working && group.work.listening) {
      // It looks at the end of its item.
      group.stretch = pace_.until(now_, group.stretch);
      ++group.order;
      wake_at(group, pace_.end(group.stretch));
    }
  }

  void wake(Group& group) {
    if (group.doing == Group::Doing::working) {
      end_stretch(group);
      if (group.work.items > 0 && !interrupted(group)) return begin_stretch(group, now_);
    }
    decide(group);
  }

  void end_stretch(Group& group) {
    const std::int64_t done = group.stretch.items;
    group.items_left -= done;
    group.work.items -= done;
    GroupLife& life = outcome_.lives[group.life];
    life.executed_min += done;
    life.executed_max += done;
    life.busy_until_s = seconds(now_);
  }

  void wake_at(const Group& group, Ticks at) {
    events_.push({at, ++made_, Event::Kind::wake, group.order, index(group), {}});
  }

  void send(const Outgoing& outgoing) {
    events_.push({after(now_, ticks(costs_.message())), ++made_, Event::Kind::message, 0,
                  index(led_by(outgoing.to)), outgoing.message});
  }

  void begin_life(Group& group, bool regrouped, Ticks at) {
    group.life = outcome_.lives.size();
    GroupLife life;
    life.ranks = group.ranks;
    life.walker = group.walker;
    life.regrouped = regrouped;
    life.items_before = group.items_left;
    life.formed_s = life.busy_until_s = seconds(at);
    outcome_.lives.push_back(life);
  }

  void end_life(const Group& group, Ticks at) {
    GroupLife& life = outcome_.lives[group.life];
    life.items_after = group.items_left;
    life.ended_s = seconds(at);
  }

  void keep_law(const GroupState& part, const GroupState& whole) const {
    const auto wrong = violation(part, whole);
    if (wrong) throw std::logic_error(fmt::format("{} at {} s", *wrong, seconds(now_)));
  }

  [[noreturn]] void broken(const Group& group, std::string_view what) const {
    throw std::logic_error(fmt::format("{} {} at {} s", name_of(group.ranks), what, seconds(now_)));
  }

  std::string standstill() const {
    return fmt::format("standstill at {} s with {} groups that have not stopped", seconds(now_),
                       running_);
  }

  const Run& run_;
  const Costs& costs_;
  const Pace pace_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> places_;  // in groups_, by the rank that leads
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::uint64_t made_ = 0;
  Ticks now_ = 0;
  std::size_t running_ = 0;     // groups that have neither stopped nor merged into another
  std::size_t exchanging_ = 0;  // of them
  Outcome outcome_;
};

}  // namespace

Outcome simulate(const Run& run, const Costs& costs, const std::function<bool()>& stop) {
  return Simulation(run, costs).outcome(stop);
}

}  // namespace regroup
