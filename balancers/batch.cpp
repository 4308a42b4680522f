// SPDX-License-Identifier: BSD-3-Clause
//
// batch: walkers are jobs that request a number of ranks, and no group is interrupted.
//
//   start     all walkers wait, and every group reports to rank 0 that it is free
//   rank 0    assigns the first walker that fits to free ranks, until none fits: to a group of
//             exactly the requested size, if there is one; otherwise it combines groups
//   working   shortly before its last item ends, a group reports that it will be free
//   free      the group regroups as rank 0 orders; remaining ranks report that they are free
//   end       when no walker waits and all ranks are free, rank 0 releases all groups
//
// List scheduling by first fit. Rank 0 looks for reports between its own items, and receives a
// walker only if the other free ranks do not suffice.
// Source: Dinan et al., Noncollective Communicator Creation in MPI, EuroMPI 2011, section 2.3 (the
// use case of QM/MM: idle processes are batched into groups).
#include <algorithm>
#include <array>
#include <utility>

#include "balancers/balancers.hpp"

namespace regroup {
namespace {

/// The messages of the groups: their numbers and, after a semicolon, their ranks.
enum Word : std::int32_t {
  available,  ///< to rank 0: ranks of the group
  form,       ///< from rank 0: walker; ranks of all groups that take part
  release,    ///< from rank 0: stop
};

/// A group reports this many items before its end.
constexpr std::int64_t ahead = 1;

/// One decision of a group.
class Decider {
 public:
  Decider(Batch& own, const Knowledge& known) : own_(own), known_(known), group_(known.group) {}

  Decision decision() {
    if (known_.message) read(*known_.message);
    if (!own_.reported && group_.chain.items_left <= ahead) report();
    if (is_rank_0()) {
      if (known_.message) return {Wait{0.0}, {}};  // reads all other messages first
      assign_walkers();
    }
    Next decided = next();
    return {std::move(decided), std::move(send_)};
  }

 private:
  using Next = decltype(Decision::next);

  bool is_rank_0() const { return group_.leader() == 0; }

  void report() {
    own_.reported = true;
    if (is_rank_0()) {
      own_.free[0] = group_.ranks;
    } else {
      send_.push_back({0, {available, 0, group_.ranks, {}}});
    }
  }

  void read(const Message& message) {
    switch (message.word) {
      case available:
        own_.free[message.ranks.lo()] = message.ranks;
        break;
      case form:
        own_.formed = message;
        break;
      case release:
        own_.released = true;
        break;
    }
  }

  Next next() {
    const std::int64_t items = group_.chain.items_left;
    if (items > 0) {
      const std::int64_t until = items > ahead ? items - ahead : items;
      if (is_rank_0()) return work_listening(until, known_);
      return Work{until, false};
    }
    if (own_.formed) return become_one();
    if (own_.released) return Stop{};
    return Wait{};
  }

  /// Forms the walker's group from the highest ranks, and a free group from the remaining ranks.
  Next become_one() {
    const Message message = *std::exchange(own_.formed, std::nullopt);
    const WaitingWalker& walker = *known_.queue.find(static_cast<int>(message.numbers[0]));
    const int left = message.ranks.size() - walker.wants;
    own_.reported = false;
    Regroup regroup{{{message.ranks.slice(left, walker.wants), {walker.walker, walker.items}, {}}}};
    if (left > 0) regroup.groups.push_back({message.ranks.slice(0, left), {}, {}});
    return regroup;
  }

  // Called only on rank 0.

  /// Assigns as many walkers as fit, once all groups have reported.
  void assign_walkers() {
    int ranks = 0;
    for (const auto& [leader, group] : own_.free) ranks += group.size();
    if (!own_.all_reported) {
      if (ranks < known_.ranks) return;
      own_.all_reported = true;
      own_.waiting.fill(known_.queue);
    }
    if (own_.waiting.empty() && ranks == known_.ranks) {
      for (const auto& [leader, group] : std::exchange(own_.free, {})) {
        tell(leader, {release, 0, {}, {}});
      }
    }
    while (const std::optional<int> walker = own_.waiting.take(ranks)) {
      const std::vector<RankSet> parts = take_free(known_.queue.find(*walker)->wants);
      const RankSet all = united(parts);
      ranks -= all.size();
      for (const RankSet& part : parts) tell(part.lo(), {form, 0, all, {*walker}});
    }
  }

  /// Removes and returns a free group of exactly `wanted` ranks, or the rightmost that suffice.
  std::vector<RankSet> take_free(int wanted) {
    auto exact = own_.free.end();
    for (auto it = own_.free.begin(); it != own_.free.end(); ++it) {
      if (it->second.size() == wanted) exact = it;
    }
    std::vector<RankSet> parts;
    while (wanted > 0) {
      const auto part = exact != own_.free.end() ? exact : std::prev(own_.free.end());
      wanted -= part->second.size();
      parts.push_back(part->second);
      own_.free.erase(part);
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

  Batch& own_;
  const Knowledge& known_;
  const Group& group_;
  std::vector<Outgoing> send_;
};

}  // namespace

void Batch::Waiting::fill(const Queue& queue) {
  for (const WaitingWalker& walker : queue.walkers()) {
    by_wants[walker.wants].push_back(walker.walker);
  }
  for (auto& [wants, walkers] : by_wants) std::ranges::reverse(walkers);
}

std::optional<int> Batch::Waiting::take(int ranks) {
  auto first = by_wants.end();
  for (auto it = by_wants.begin(); it != by_wants.end() && it->first <= ranks; ++it) {
    if (first == by_wants.end() || it->second.back() < first->second.back()) first = it;
  }
  if (first == by_wants.end()) return std::nullopt;
  const int walker = first->second.back();
  first->second.pop_back();
  if (first->second.empty()) by_wants.erase(first);
  return walker;
}

Decision Batch::decide(const Knowledge& known) { return Decider(*this, known).decision(); }

std::string_view Batch::word(std::int32_t number) const {
  constexpr std::array words{"available", "form", "release"};
  return words.at(static_cast<std::size_t>(number));
}

std::unique_ptr<Balancer> make_batch(const Options&) {
  return std::make_unique<StatefulBalancer<Batch>>();
}

}  // namespace regroup
