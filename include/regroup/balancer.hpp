// SPDX-License-Identifier: BSD-3-Clause
//
// Walkers that wait at the start of a run.
//
// A run may have more walkers than groups. Those that groups begin with are named by their group's
// lowest rank, and the others in the same way as though there were more ranks (walker_names.hpp):
// with G ranks in each group, walker i is named i · G. They wait in a queue until a group that is
// done with its own walker takes up the next; which one is its balancer's choice. Balancers that
// ask nobody deal the queue like cards: the groups of the start each have a line of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "regroup/groups.hpp"
#include "regroup/options.hpp"

namespace regroup {

/// A walker that waits.
struct WaitingWalker {
  int walker = 0;
  std::int64_t items = 0;
  int wants = 1;  ///< ranks that it would like to have; only some balancers heed it
  friend bool operator==(const WaitingWalker&, const WaitingWalker&) = default;
};

class Queue {
 public:
  /// Nobody waits.
  Queue() = default;
  /// `tasks` by their walkers, ascending; those of one line are `turn` apart.
  Queue(std::vector<WaitingWalker> tasks, int turn) : tasks_(std::move(tasks)), turn_(turn) {}

  bool empty() const { return tasks_.empty(); }
  std::span<const WaitingWalker> walkers() const { return tasks_; }

  /// Nobody where `walker` does not wait at the start.
  const WaitingWalker* find(int walker) const {
    const auto found = std::ranges::lower_bound(tasks_, walker, {}, &WaitingWalker::walker);
    return found != tasks_.end() && found->walker == walker ? &*found : nullptr;
  }

  /// The next in the line of `walker`; nobody where it is the last.
  const WaitingWalker* after(int walker) const {
    const bool none = walker < 0 || tasks_.empty() || walker > tasks_.back().walker - turn_;
    return none ? nullptr : find(walker + turn_);
  }

  /// Items of all that are behind `walker` in its line.
  std::int64_t items_after(int walker) const {
    std::int64_t items = 0;
    while (const WaitingWalker* task = after(walker)) {
      items += task->items;
      walker = task->walker;
    }
    return items;
  }

 private:
  std::vector<WaitingWalker> tasks_;
  int turn_ = 0;
};

inline const Queue nobody_waits;

/// Who of a queue has not been taken up.
class StillWaiting {
 public:
  explicit StillWaiting(const Queue& queue)
      : queue_(&queue), waits_(queue.walkers().size(), true) {}

  bool nobody() const { return std::ranges::find(waits_, true) == waits_.end(); }

  bool has(int walker, std::int64_t items) const {
    const WaitingWalker* task = queue_->find(walker);
    return task != nullptr && task->items == items && waits_[place(*task)];
  }

  /// `walker` has begun, who may never have waited.
  void take(int walker) {
    if (const WaitingWalker* task = queue_->find(walker)) waits_[place(*task)] = false;
  }

  const std::vector<bool>& all() const { return waits_; }

 private:
  std::size_t place(const WaitingWalker& task) const {
    return static_cast<std::size_t>(&task - queue_->walkers().data());
  }

  const Queue* queue_;
  std::vector<bool> waits_;  // in the order of the queue
};

inline const StillWaiting nobody_is_left{nobody_waits};

/// What a leader expects things to take, in seconds: knowledge of time without a clock. Equal
/// arguments have equal answers; on real processes they change, in coarse steps, with what was
/// measured.
struct Forecast {
  /// An item of a group of so many ranks, on average.
  std::function<double(int ranks)> item_s;
  /// A look for messages and an order to so many members.
  std::function<double(int ranks)> order_s;
  /// From the decision to regroup until a new group of so many ranks begins.
  std::function<double(int ranks)> regroup_s;

  /// So many items of a group of `ranks` ranks.
  double seconds(std::int64_t items, int ranks) const {
    return static_cast<double>(items) * item_s(ranks);
  }
};

// The socket that balancers plug into. A balancer is a pure decision: each group leader owns one
// balancer object, which is told what the leader knows and answers what the group does next. It
// performs no I/O, reads no clock and calls no MPI; therefore the same object runs on real
// processes, in virtual time, and under a checker that tries every order of events.

/// A Markov chain on its way: a walker (queue.hpp has their names), and the items it has left.
struct Chain {
  static constexpr int none = -1;

  int walker = none;
  std::int64_t items_left = 0;
  friend bool operator==(const Chain&, const Chain&) = default;
};

/// A walker group: its ranks, of which the lowest leads, and the chain that they execute together;
/// no chain where they only wait to become parts of other groups.
struct Group {
  RankSet ranks;
  Chain chain;
  /// What its leader is told when the group forms; the balancer's own affair.
  std::vector<std::int64_t> note;

  int leader() const { return ranks.lo(); }
  friend bool operator==(const Group&, const Group&) = default;
};

/// What one leader tells another: a word, some ranks and a few numbers, all of them the balancer's
/// own affair. Where the rank that it goes to leads no more, or never did, it reaches the leader of
/// that rank's group.
struct Message {
  std::int32_t word = 0;
  std::int32_t from = 0;  ///< the rank that sent it; engines write it
  RankSet ranks;
  std::array<std::int64_t, 4> numbers{};
  friend bool operator==(const Message&, const Message&) = default;
};

/// All that a balancer may base its decision on, besides what it remembers itself.
struct Knowledge {
  const Group& group;  ///< the deciding leader's
  int ranks;           ///< of the whole run
  const Forecast& forecast;
  std::optional<Message> message;     ///< the oldest message that was not shown before, if any
  std::uint64_t random = 0;           ///< fresh, uniformly distributed bits for every decision
  const Queue& queue = nobody_waits;  ///< who waits at the start of the run; who took them up, not
  const NodeMap& nodes = one_node;    ///< who shares a node, where that is known
};

/// Execute at most `items` items of the chain (at least 1, at most those left), then decide again.
/// A `listening` group looks for a message after every item and decides as soon as there is one.
struct Work {
  std::int64_t items = 0;
  bool listening = false;
  friend bool operator==(const Work&, const Work&) = default;
};

/// Do nothing until a message arrives or, where given, `at_most_s` seconds are over.
struct Wait {
  std::optional<double> at_most_s;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Exchange loads with the leaders of all groups, then regroup by `Balancer::plan`. Returns to the
/// balancer when every leader has come to its exchange and the regroupings, if any, are done. Of
/// a run whose groups exchange they must not change in any other way before.
struct Exchange {
  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// The groups that have the ranks of `groups` now become these groups. They may merge, divide, give
/// each other ranks and hand chains over, and take up walkers that wait: only no rank and no item
/// may be lost (rules.hpp). The leaders of all of them must decide the same. A leader that goes on
/// as a leader keeps its balancer; who comes to lead gets a new one, and the balancers of the
/// others end here. A group may also regroup with nobody but itself; where all that changes is that
/// it takes up another walker, it keeps its communicator, and that is no regrouping.
struct Regroup {
  std::vector<Group> groups;
  friend bool operator==(const Regroup&, const Regroup&) = default;
};

/// All of `ranks` become one group that goes on with `chain`.
inline Regroup merged(RankSet ranks, Chain chain) { return {{{std::move(ranks), chain, {}}}}; }

/// The group, which is done with its chain, takes up a walker that waits.
inline Regroup taken_up(const Group& group, const WaitingWalker& task) {
  return merged(group.ranks, {task.walker, task.items});
}

/// Whether nothing changes for the ranks of `group` but their walker.
inline bool takes_up(const Group& group, std::span<const Group> groups) {
  return groups.size() == 1 && groups.front().ranks == group.ranks &&
         groups.front().chain.walker != group.chain.walker &&
         groups.front().chain.walker != Chain::none;
}

/// The group leaves the run. It must have no items left.
struct Stop {
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A message and the rank, a leader's as a rule, that it goes to.
struct Outgoing {
  int to = 0;
  Message message;
  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

/// What a group does next; messages to `send` go out first.
struct Decision {
  std::variant<Work, Wait, Exchange, Regroup, Stop> next;
  std::vector<Outgoing> send;
  friend bool operator==(const Decision&, const Decision&) = default;
};

class Balancer {
 public:
  virtual ~Balancer() = default;

  /// Decides for the group that `known` describes.
  virtual Decision decide(const Knowledge& known) = 0;

  /// After an exchange: the groups that there shall be, given all those that there are, both by
  /// their leaders from left to right. Every leader evaluates it on the same groups, so it must be
  /// a function of nothing else. A group that is there already stays as it is. Default: all do.
  virtual std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const;

  /// Whether it decides who takes up which walker of the queue. If not, a group that is done with
  /// its chain takes up the next of its line by itself, before it asks its balancer.
  virtual bool gives_walkers() const { return false; }

  /// What a word of its messages means, for who reads what happened.
  virtual std::string_view word(std::int32_t number) const;

  /// A copy with the same memory, and that memory as numbers: two balancers with equal memory
  /// decide alike. The exhaustive checker needs both.
  virtual std::unique_ptr<Balancer> clone() const = 0;
  virtual std::vector<std::int64_t> memory() const = 0;

 protected:
  Balancer() = default;
  Balancer(const Balancer&) = default;
  Balancer& operator=(const Balancer&) = default;
};

/// Whom `group` takes up before it asks its balancer; mostly nobody.
inline const WaitingWalker* due(const Group& group, const Balancer& balancer, const Queue& queue) {
  if (group.chain.items_left > 0 || balancer.gives_walkers()) return nullptr;
  return queue.after(group.chain.walker);
}

/// When the groups of a balancer change, and so who can be asked to take part in forming a
/// communicator: a parent-collective strategy needs every rank at once, which only an exchange
/// brings together.
enum class Regrouping { never, in_exchanges, any_time };

/// Which groups a balancer forms, and so which strategies serve it.
enum class Shapes { ranges, any };

/// Whether its groups have walkers at the start, or all walkers wait.
enum class Start { with_walkers, idle };

/// A row of the list of balancers.
struct BalancerEntry : Entry {
  Regrouping regrouping;
  Shapes shapes;
  std::unique_ptr<Balancer> (*make)(const Options& options);
  /// Whether its decisions depend on `Knowledge::random`. Where they do not, and nothing else of a
  /// run is drawn, repetitions in virtual time are equal, and are left out.
  bool (*draws)(const Options& options);
  Start start = Start::with_walkers;
};

/// `BalancerEntry::draws` of balancers that never look at `Knowledge::random`.
inline bool draws_nothing(const Options&) { return false; }

}  // namespace regroup
