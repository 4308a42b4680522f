// SPDX-License-Identifier: BSD-3-Clause
//
// The interface of balancers. Each group leader owns one balancer, a pure decision: it is given
// what the leader knows and returns what the group does next, without I/O, clock or MPI. So the
// same object runs on real processes, in virtual time, and in the explorer.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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
#include "regroup/memory.hpp"
#include "regroup/options.hpp"

namespace regroup {

// A run may have more walkers than groups. The others wait in a queue, named as if there were more
// ranks (`WalkerNames`): with G ranks in each group, walker i is i · G. A group that is done takes
// up the next one that its balancer chooses; without central knowledge, the queue is dealt like
// cards, a line for each group of the start.

struct WaitingWalker {
  int walker = 0;
  std::int64_t items = 0;
  int wants = 1;  ///< the number of ranks it asks for; only some balancers heed it
  friend bool operator==(const WaitingWalker&, const WaitingWalker&) = default;
};

class Queue {
 public:
  /// Empty.
  Queue() = default;
  /// `walkers` in ascending order of their names; those of one line are `turn` apart.
  Queue(std::vector<WaitingWalker> walkers, int turn) : walkers_(std::move(walkers)), turn_(turn) {}
  /// `next`: pairs of a walker and the one that comes next in its line, ascending. The rest of a
  /// run that lost ranks has such lines.
  Queue(std::vector<WaitingWalker> walkers, std::vector<std::pair<int, int>> next)
      : walkers_(std::move(walkers)), next_(std::move(next)) {}

  bool empty() const { return walkers_.empty(); }
  std::span<const WaitingWalker> walkers() const { return walkers_; }

  /// nullptr where `walker` does not wait at the start.
  const WaitingWalker* find(int walker) const {
    const auto found = std::ranges::lower_bound(walkers_, walker, {}, &WaitingWalker::walker);
    return found != walkers_.end() && found->walker == walker ? &*found : nullptr;
  }

  /// The next in the line of `walker`; nullptr where it is the last.
  const WaitingWalker* after(int walker) const {
    if (turn_ == 0) {
      const auto found = std::ranges::lower_bound(next_, std::pair(walker, 0));
      return found != next_.end() && found->first == walker ? find(found->second) : nullptr;
    }
    const bool none = walker < 0 || walkers_.empty() || walker > walkers_.back().walker - turn_;
    return none ? nullptr : find(walker + turn_);
  }

  /// The items of all walkers behind `walker` in its line.
  std::int64_t items_after(int walker) const {
    std::int64_t items = 0;
    while (const WaitingWalker* next = after(walker)) {
      items += next->items;
      walker = next->walker;
    }
    return items;
  }

 private:
  std::vector<WaitingWalker> walkers_;
  int turn_ = 0;  // 0: by next_
  std::vector<std::pair<int, int>> next_;
};

inline const Queue nobody_waits;

/// Which walkers of a queue have not been taken up.
class StillWaiting {
 public:
  explicit StillWaiting(const Queue& queue)
      : queue_(&queue), waits_(queue.walkers().size(), true) {}

  bool nobody() const { return std::ranges::find(waits_, true) == waits_.end(); }

  bool has(int walker, std::int64_t items) const {
    const WaitingWalker* found = queue_->find(walker);
    return found != nullptr && found->items == items && waits_[index_of(*found)];
  }

  /// A group begins with `walker`, which need not be in the queue.
  void take(int walker) {
    if (const WaitingWalker* found = queue_->find(walker)) waits_[index_of(*found)] = false;
  }

  const std::vector<bool>& all() const { return waits_; }

 private:
  std::size_t index_of(const WaitingWalker& walker) const {
    return static_cast<std::size_t>(&walker - queue_->walkers().data());
  }

  const Queue* queue_;
  std::vector<bool> waits_;  // in the order of the queue
};

inline const StillWaiting nobody_is_left{nobody_waits};

/// Durations that a leader expects, in seconds. Equal arguments give equal answers; on real
/// processes these change, in coarse steps, with what was measured.
struct Forecast {
  /// An item in a group of `ranks` ranks, on average.
  std::function<double(int ranks)> item_s;
  /// A look for messages and an order to so many members.
  std::function<double(int ranks)> order_s;
  /// From the decision to regroup until a new group of so many ranks begins.
  std::function<double(int ranks)> regroup_s;

  /// So many items in a group of `ranks` ranks.
  double seconds(std::int64_t items, int ranks) const {
    return static_cast<double>(items) * item_s(ranks);
  }
};

/// A Markov chain in progress: the name of its walker, and the items it has left.
struct Chain {
  static constexpr int none = -1;

  int walker = none;
  std::int64_t items_left = 0;
  friend bool operator==(const Chain&, const Chain&) = default;
};

/// A walker group: its ranks, of which the lowest leads, and their chain; none if they only wait.
struct Group {
  RankSet ranks;
  Chain chain;
  /// Numbers for the balancer of its leader, given when the group forms; only balancers read them.
  std::vector<std::int64_t> note;

  int leader() const { return ranks.lo(); }
  friend bool operator==(const Group&, const Group&) = default;
};

/// A message between leaders, whose meaning only the balancer knows. If the receiver does not lead
/// (any more), it reaches the leader of the receiver's group.
struct Message {
  using Numbers = std::array<std::int64_t, 12>;

  std::int32_t word = 0;
  std::int32_t from = 0;  ///< the rank that sent it; set by the engine
  RankSet ranks;
  Numbers numbers{};
  friend bool operator==(const Message&, const Message&) = default;
};

/// How long items took in groups of one size: the logarithms of their seconds, of which one that
/// takes much longer for once counts little.
struct ItemTimes {
  int ranks = 0;
  std::int64_t items = 0;
  double log_mean = 0;
  std::int64_t stretches = 0;     ///< of items that were timed together
  double squared_deviations = 0;  ///< of the means of stretches, times their items: the sum

  /// A stretch of items in a group of `size` ranks; what another size took is forgotten.
  void add(int size, std::int64_t more, double item_s) {
    if (!(item_s > 0)) return;
    if (size != ranks) *this = {size};
    const double log_s = std::log(item_s);
    const double off = log_s - log_mean;
    items += more;
    ++stretches;
    log_mean += off * static_cast<double>(more) / static_cast<double>(items);
    squared_deviations += off * (log_s - log_mean) * static_cast<double>(more);
  }

  /// Without what `earlier`, of the same size, contained already.
  ItemTimes since(const ItemTimes& earlier) const {
    const auto all = static_cast<double>(items);
    const auto old = static_cast<double>(earlier.items);
    if (items == earlier.items) return {ranks};
    ItemTimes rest{ranks, items - earlier.items, 0, stretches - earlier.stretches};
    rest.log_mean = (log_mean * all - earlier.log_mean * old) / (all - old);
    const double apart = rest.log_mean - earlier.log_mean;
    rest.squared_deviations = std::max(0.0, squared_deviations - earlier.squared_deviations -
                                                apart * apart * old * (all - old) / all);
    return rest;
  }

  /// The same where that is the size; otherwise of no items.
  ItemTimes of(int size) const { return size == ranks ? *this : ItemTimes{size}; }
};

/// All that a balancer may base its decision on, besides what it remembers itself.
struct Knowledge {
  const Group& group;  ///< that of the deciding leader
  int ranks;           ///< of the whole run
  const Forecast& forecast;
  std::optional<Message> message;     ///< the oldest message that was not shown before, if any
  std::uint64_t random = 0;           ///< fresh, uniformly distributed bits for every decision
  const Queue& queue = nobody_waits;  ///< the walkers that wait at the start of the run
  const NodeMap& nodes = one_node;    ///< which ranks share a node, where that is known
  /// What items took since the group has had this leader and so many ranks, without the first after
  /// each regrouping.
  ItemTimes measured = {};
  double elapsed_s = 0;  ///< since the start of the run
  /// Cores that all ranks together have for items; 0: items need none, or nobody knows.
  int cores = 0;
  bool exchanges = false;  ///< chains of the run exchange messages, and may wait for each other
  bool blocked = false;    ///< the group's chain waits
};

/// Execute at most `items` items of the chain (at least 1, at most those left), then decide again.
/// A `listening` group looks for a message after every item.
struct Work {
  std::int64_t items = 0;
  bool listening = false;
  friend bool operator==(const Work&, const Work&) = default;
};

/// Do nothing until a message arrives or, where given, `at_most_s` seconds have passed.
struct Wait {
  std::optional<double> at_most_s;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Exchange loads with the leaders of all groups, then regroup by `Balancer::plan`; decide again
/// when all regroupings are done. Before the exchange, groups must not change in any other way.
struct Exchange {
  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// The groups that have the ranks of `groups` become these: they may merge, divide, exchange ranks,
/// hand chains over and take up walkers that wait, but lose no rank and no item (kernel/rules.hpp).
/// All their leaders must decide the same. A leader that stays one keeps its balancer; a new one
/// gets a new balancer. A group that only takes up another walker keeps its communicator, which
/// does not count as a regrouping.
struct Regroup {
  std::vector<Group> groups;
  friend bool operator==(const Regroup&, const Regroup&) = default;
};

/// All of `ranks` become one group that continues `chain`.
inline Regroup merged(RankSet ranks, Chain chain) { return {{{std::move(ranks), chain, {}}}}; }

/// The group, which is done with its chain, takes up a walker that waits.
inline Regroup taken_up(const Group& group, const WaitingWalker& next) {
  return merged(group.ranks, {next.walker, next.items});
}

/// Whether only the walker changes for the ranks of `group`.
inline bool takes_up(const Group& group, std::span<const Group> groups) {
  return groups.size() == 1 && groups.front().ranks == group.ranks &&
         groups.front().chain.walker != group.chain.walker &&
         groups.front().chain.walker != Chain::none;
}

/// The group leaves the run. It must have no items left.
struct Stop {
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A message and the rank it goes to, usually that of a leader.
struct Outgoing {
  int to = 0;
  Message message;
  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

/// What a group does next; it sends the messages in `send` first.
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

  /// The groups after an exchange, given all groups before it, both from left to right. It must
  /// depend on nothing else, since every leader evaluates it. Default: all stay.
  virtual std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const;

  /// Whether it decides which group takes up which walker. If not, a group that is done takes up
  /// the next of its line before its balancer is asked.
  virtual bool gives_walkers() const { return false; }

  /// The meaning of a word of its messages, for readers of what happened.
  virtual std::string_view word(std::int32_t number) const;

  /// After ranks were lost: the index of the one of `groups` that takes over `orphan`, whose group
  /// was lost as a whole. The items of a group are those of its chain and of all that wait behind
  /// it. Must depend on nothing else. Default: the group that would then be done first.
  virtual std::size_t heir(std::span<const Group> groups, const Chain& orphan,
                           const Forecast& forecast) const;

  /// A copy, and what it remembers: equal memories decide alike. For the explorer.
  virtual std::unique_ptr<Balancer> clone() const = 0;
  virtual Memory memory() const = 0;

 protected:
  Balancer() = default;
  Balancer(const Balancer&) = default;
  Balancer& operator=(const Balancer&) = default;
};

/// A balancer whose rules are a plain struct, which holds all that it remembers. The struct has
/// `decide` and, where the defaults of `Balancer` do not fit, `plan`, `gives_walkers`, `word` and
/// `heir`.
template <class Rules>
class StatefulBalancer final : public Balancer {
 public:
  explicit StatefulBalancer(Rules rules = {}) : rules_(std::move(rules)) {}

  const Rules& rules() const { return rules_; }

  Decision decide(const Knowledge& known) override { return rules_.decide(known); }

  std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const override {
    if constexpr (requires { &Rules::plan; }) {
      return rules_.plan(groups, forecast);
    } else {
      return Balancer::plan(groups, forecast);
    }
  }

  bool gives_walkers() const override {
    if constexpr (requires { &Rules::gives_walkers; }) {
      return rules_.gives_walkers();
    } else {
      return Balancer::gives_walkers();
    }
  }

  std::string_view word(std::int32_t number) const override {
    if constexpr (requires { &Rules::word; }) {
      return rules_.word(number);
    } else {
      return Balancer::word(number);
    }
  }

  std::size_t heir(std::span<const Group> groups, const Chain& orphan,
                   const Forecast& forecast) const override {
    if constexpr (requires { &Rules::heir; }) {
      return rules_.heir(groups, orphan, forecast);
    } else {
      return Balancer::heir(groups, orphan, forecast);
    }
  }

  std::unique_ptr<Balancer> clone() const override {
    return std::make_unique<StatefulBalancer>(*this);
  }

  Memory memory() const override {
    Memory memory;
    memory.reserve(64);  // more than most structs need
    append(memory, rules_);
    return memory;
  }

 private:
  Rules rules_;
};

/// The walker that `group` takes up before its balancer is asked; usually nullptr.
inline const WaitingWalker* due(const Group& group, const Balancer& balancer, const Queue& queue) {
  if (group.chain.items_left > 0 || balancer.gives_walkers()) return nullptr;
  return queue.after(group.chain.walker);
}

/// When groups change. A parent-collective strategy needs an exchange, which brings all ranks
/// together.
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
  /// Whether its decisions depend on `Knowledge::random`. If nothing is drawn, repetitions in
  /// virtual time are skipped.
  bool (*draws)(const Options& options);
  Start start = Start::with_walkers;
};

/// `BalancerEntry::draws` of balancers that never use `Knowledge::random`.
inline bool draws_nothing(const Options&) { return false; }

}  // namespace regroup
