// SPDX-License-Identifier: BSD-3-Clause
//
// batch: walkers are tasks that say how many ranks they want, and nobody who works is interrupted.
//
//   start     all walkers wait, and every group reports to rank 0 that it is free
//   rank 0    gives the first walker that fits to free ranks, and goes on until none fits: to a
//             group of as many ranks as it wants, where there is one; else several are made one
//   working   shortly before its last item ends a group reports that it will be free
//   free      it regroups as it is told; ranks that are left over report that they are free
//   end       when nobody waits and all ranks are free, rank 0 lets them stop
//
// List scheduling by first fit; rank 0 looks for reports at the ends of its own items, and is given
// a walker where others do not suffice.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 2.3 (the
// use case of QM/MM: idle processes are batched into groups).
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "balancers/balancers.hpp"
#include "balancers/listening.hpp"

namespace regroup {
namespace {

/// What groups say to each other. Numbers of the message, and its ranks:
enum Word : std::int32_t {
  available,  ///< to rank 0: ranks of the group
  form,     ///< from rank 0: walker; ranks of all groups that are made one, and one of what is left
  release,  ///< from rank 0: stop
};

/// So many items before its end a group reports.
constexpr std::int64_t ahead = 1;

/// The walkers of a queue that nobody was given, by what they want.
class Waiting {
 public:
  void fill(const Queue& queue) {
    for (const WaitingWalker& task : queue.walkers()) by_wants_[task.wants].push_back(task.walker);
    for (auto& [wants, walkers] : by_wants_) std::ranges::reverse(walkers);
  }

  bool empty() const { return by_wants_.empty(); }

  /// The first that wants no more than `ranks`; nobody where there is none.
  std::optional<int> take(int ranks) {
    auto first = by_wants_.end();
    for (auto it = by_wants_.begin(); it != by_wants_.end() && it->first <= ranks; ++it) {
      if (first == by_wants_.end() || it->second.back() < first->second.back()) first = it;
    }
    if (first == by_wants_.end()) return std::nullopt;
    const int walker = first->second.back();
    first->second.pop_back();
    if (first->second.empty()) by_wants_.erase(first);
    return walker;
  }

  void append_to(std::vector<std::int64_t>& memory) const {
    for (const auto& [wants, walkers] : by_wants_) {
      memory.insert(memory.end(), {wants, static_cast<std::int64_t>(walkers.size())});
      memory.insert(memory.end(), walkers.begin(), walkers.end());
    }
  }

 private:
  std::map<int, std::vector<int>> by_wants_;  // the first at the end
};

class Batch final : public Balancer {
 public:
  Decision decide(const Knowledge& known) override {
    send_.clear();
    if (known.message) read(*known.message);
    if (!reported_ && known.group.chain.items_left <= ahead) report(known);
    if (keeps(known)) {
      if (known.message) return {Wait{0.0}, {}};  // for more of them
      give(known);
    }
    Decision decision{next(known), {}};
    decision.send = std::move(send_);
    return decision;
  }

  std::string_view word(std::int32_t number) const override {
    constexpr std::array words{"available", "form", "release"};
    return words.at(static_cast<std::size_t>(number));
  }

  std::unique_ptr<Balancer> clone() const override { return std::make_unique<Batch>(*this); }

  bool gives_walkers() const override { return true; }

  std::vector<std::int64_t> memory() const override {
    std::vector<std::int64_t> memory{reported_, released_, known_, formed_ ? 1 : 0};
    const auto add = [&memory](const RankSet& ranks) {
      for (const RankRange range : ranks.ranges()) {
        memory.insert(memory.end(), {range.lo, range.hi});
      }
      memory.push_back(-1);
    };
    if (formed_) {
      memory.push_back(formed_->numbers[0]);
      add(formed_->ranks);
    }
    for (const auto& [leader, ranks] : free_) add(ranks);
    waiting_.append_to(memory);
    return memory;
  }

 private:
  using Next = decltype(Decision::next);

  static bool keeps(const Knowledge& known) { return known.group.leader() == 0; }

  void report(const Knowledge& known) {
    reported_ = true;
    if (keeps(known)) {
      free_[0] = known.group.ranks;
    } else {
      send_.push_back({0, {available, 0, known.group.ranks, {}}});
    }
  }

  void read(const Message& message) {
    switch (message.word) {
      case available:
        free_[message.ranks.lo()] = message.ranks;
        break;
      case form:
        formed_ = message;
        break;
      case release:
        released_ = true;
        break;
    }
  }

  Next next(const Knowledge& known) {
    const std::int64_t items = known.group.chain.items_left;
    if (items > 0) {
      const std::int64_t until = items > ahead ? items - ahead : items;
      if (keeps(known)) return work_listening(until, known.group, known.forecast);
      return Work{until, false};
    }
    if (formed_) return become_one(known);
    if (released_) return Stop{};
    return Wait{};
  }

  /// The highest ranks, as many as the walker wants, and those that are left over.
  Next become_one(const Knowledge& known) {
    const Message message = *std::exchange(formed_, std::nullopt);
    const WaitingWalker& task = *known.queue.find(static_cast<int>(message.numbers[0]));
    const int left = message.ranks.size() - task.wants;
    reported_ = false;
    Regroup regroup{{{message.ranks.slice(left, task.wants), {task.walker, task.items}, {}}}};
    if (left > 0) regroup.groups.push_back({message.ranks.slice(0, left), {}, {}});
    return regroup;
  }

  // What follows is rank 0's.

  /// As many walkers as fit, when all groups have reported once.
  void give(const Knowledge& known) {
    int ranks = 0;
    for (const auto& [leader, group] : free_) ranks += group.size();
    if (!known_) {
      if (ranks < known.ranks) return;
      known_ = true;
      waiting_.fill(known.queue);
    }
    if (waiting_.empty() && ranks == known.ranks) {
      for (const auto& [leader, group] : std::exchange(free_, {}))
        tell(leader, {release, 0, {}, {}});
    }
    while (const std::optional<int> walker = waiting_.take(ranks)) {
      const std::vector<RankSet> parts = take_free(known.queue.find(*walker)->wants);
      const RankSet all = united(parts);
      ranks -= all.size();
      for (const RankSet& part : parts) tell(part.lo(), {form, 0, all, {*walker}});
    }
  }

  /// A group of just as many ranks, or else groups that have enough together, the rightmost.
  std::vector<RankSet> take_free(int wanted) {
    auto exact = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      if (it->second.size() == wanted) exact = it;
    }
    std::vector<RankSet> parts;
    while (wanted > 0) {
      const auto part = exact != free_.end() ? exact : std::prev(free_.end());
      wanted -= part->second.size();
      parts.push_back(part->second);
      free_.erase(part);
    }
    return parts;
  }

  void tell(int leader, const Message& message) {
    if (leader == 0) {
      read(message);
    } else {
      send_.push_back({leader, message});
    }
  }

  bool reported_ = false;  // that the group is free, or will be soon
  bool released_ = false;
  std::optional<Message> formed_;  // what the group shall be part of when it is done
  std::vector<Outgoing> send_;

  bool known_ = false;           // all groups have reported
  std::map<int, RankSet> free_;  // by leader
  Waiting waiting_;
};

}  // namespace

std::unique_ptr<Balancer> make_batch(const Options&) { return std::make_unique<Batch>(); }

}  // namespace regroup
