// SPDX-License-Identifier: BSD-3-Clause
//
// The interface of balancers. Each leader owns one balancer, a pure function of the leader's
// knowledge that returns the next action of the group, without I/O, clock or MPI. So the same
// object runs on real processes, in virtual time, and in the explorer.
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

// A run may have more walkers than groups. The other walkers wait in a queue and are named as if
// there were more ranks (`WalkerNames`): with G ranks in each group, the name of walker i is i · G.
// A finished group takes the next walker that its balancer chooses. Balancers without central
// knowledge divide the queue into lines, one per initial group, which receive the walkers in turn.

struct WaitingWalker {
  int walker = 0;
  std::int64_t items = 0;
  int wants = 1;  ///< number of ranks that it wants; only some balancers use it
  friend bool operator==(const WaitingWalker&, const WaitingWalker&) = default;
};

class Queue {
 public:
  /// Empty.
  Queue() = default;
  /// `walkers`: in ascending order of their names. Consecutive names in a line differ by
  /// `turn`.
  Queue(std::vector<WaitingWalker> walkers, int turn) : walkers_(std::move(walkers)), turn_(turn) {}
  /// `next`: pairs of a walker and its successor in the line, in ascending order. Used after the
  /// loss of ranks.
  Queue(std::vector<WaitingWalker> walkers, std::vector<std::pair<int, int>> next)
      : walkers_(std::move(walkers)), next_(std::move(next)) {}

  bool empty() const { return walkers_.empty(); }
  std::span<const WaitingWalker> walkers() const { return walkers_; }

  /// nullptr if `walker` does not wait at the start of the run.
  const WaitingWalker* find(int walker) const {
    const auto found = std::ranges::lower_bound(walkers_, walker, {}, &WaitingWalker::walker);
    return found != walkers_.end() && found->walker == walker ? &*found : nullptr;
  }

  /// The successor of `walker` in its line; nullptr if it is the last.
  const WaitingWalker* after(int walker) const {
    if (turn_ == 0) {
      const auto found = std::ranges::lower_bound(next_, std::pair(walker, 0));
      return found != next_.end() && found->first == walker ? find(found->second) : nullptr;
    }
    const bool none = walker < 0 || walkers_.empty() || walker > walkers_.back().walker - turn_;
    return none ? nullptr : find(walker + turn_);
  }

  /// Number of items of all walkers behind `walker` in its line.
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

/// The walkers of a queue that no group has taken yet.
class StillWaiting {
 public:
  explicit StillWaiting(const Queue& queue)
      : queue_(&queue), waits_(queue.walkers().size(), true) {}

  bool nobody() const { return std::ranges::find(waits_, true) == waits_.end(); }

  bool has(int walker, std::int64_t items) const {
    const WaitingWalker* found = queue_->find(walker);
    return found != nullptr && found->items == items && waits_[index_of(*found)];
  }

  /// Called when a group starts with `walker`, which may be outside the queue.
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

/// Durations that a leader expects, in seconds. Equal arguments give equal answers. On real
/// processes, answers change in coarse steps, as durations are measured.
struct Forecast {
  /// Mean time of an item in a group of `ranks` ranks.
  std::function<double(int ranks)> item_s;
  /// Time to look for messages and to send an order to `ranks` members.
  std::function<double(int ranks)> order_s;
  /// Time from the decision to regroup to the start of a new group of `ranks` ranks.
  std::function<double(int ranks)> regroup_s;

  /// Time of `items` items in a group of `ranks` ranks.
  double seconds(std::int64_t items, int ranks) const {
    return static_cast<double>(items) * item_s(ranks);
  }
};

/// A Markov chain in progress: name of its walker, and number of items left.
struct Chain {
  static constexpr int none = -1;

  int walker = none;
  std::int64_t items_left = 0;
  friend bool operator==(const Chain&, const Chain&) = default;
};

/// A walker group: its ranks, of which the lowest is the leader, and its chain (none if it waits).
struct Group {
  RankSet ranks;
  Chain chain;
  /// Numbers for the balancer of the leader, passed when the group is created. Only balancers read
  /// them.
  std::vector<std::int64_t> note;

  int leader() const { return ranks.lo(); }
  friend bool operator==(const Group&, const Group&) = default;
};

/// A message between leaders; its meaning is defined by the balancer. If the receiving rank is not
/// a leader, the message is forwarded to the leader of its group.
struct Message {
  using Numbers = std::array<std::int64_t, 12>;

  std::int32_t word = 0;
  std::int32_t from = 0;  ///< rank of the sender; set by the engine
  RankSet ranks;
  Numbers numbers{};
  friend bool operator==(const Message&, const Message&) = default;
};

/// Item times in groups of one size, as logarithms of seconds, so that single outliers have little
/// effect.
struct ItemTimes {
  int ranks = 0;
  std::int64_t items = 0;
  double log_mean = 0;
  std::int64_t stretches = 0;  ///< number of sequences of items that were timed together
  double squared_deviations =
      0;  ///< sum over the sequences: squared deviation of the mean · number of items

  /// Adds a sequence of items in a group of `size` ranks. If the size changes, earlier times are
  /// discarded.
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

  /// The times that were added after `earlier`, which has the same size.
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

  /// This object if it has the size `size`, otherwise times without items.
  ItemTimes of(int size) const { return size == ranks ? *this : ItemTimes{size}; }
};

/// The input of a decision. A balancer may also use its own memory, and nothing else.
struct Knowledge {
  const Group& group;  ///< group of the deciding leader
  int ranks;           ///< number of ranks of the run
  const Forecast& forecast;
  std::optional<Message> message;     ///< oldest message that has not been passed before, if any
  std::uint64_t random = 0;           ///< uniformly distributed bits, new for every decision
  const Queue& queue = nobody_waits;  ///< walkers that wait at the start of the run
  const NodeMap& nodes = one_node;    ///< which ranks share a node, if known
  /// Item times since the group has this leader and size, without the first item after each
  /// regrouping.
  ItemTimes measured = {};
  double elapsed_s = 0;  ///< since the start of the run
  /// Number of cores of all ranks together; 0: unknown, or items need no cores.
  int cores = 0;
  bool exchanges =
      false;  ///< whether chains of the run exchange messages, so that they may wait for each other
  bool blocked = false;  ///< whether the chain of the group waits for messages
};

/// Executes at most `items` items of the chain (from 1 to the number left), then decides again. If
/// `listening`, the group looks for a message after every item.
struct Work {
  std::int64_t items = 0;
  bool listening = false;
  friend bool operator==(const Work&, const Work&) = default;
};

/// Waits until a message arrives or, if given, `at_most_s` seconds have passed.
struct Wait {
  std::optional<double> at_most_s;
  friend bool operator==(const Wait&, const Wait&) = default;
};

/// Exchanges loads with the leaders of all groups, then regroups by `Balancer::plan`, and decides
/// again after the regrouping. Before the exchange, groups must not change in any other way.
struct Exchange {
  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Replaces the groups that contain the ranks of `groups` by `groups`. Groups may merge, divide,
/// exchange ranks, hand over chains and take waiting walkers, but no rank and no item may be lost
/// (kernel/rules.hpp). All leaders involved must make the same decision. A rank that remains a
/// leader keeps its balancer; a new leader gets a new balancer. A group that only takes another
/// walker keeps its communicator; this does not count as a regrouping.
struct Regroup {
  std::vector<Group> groups;
  friend bool operator==(const Regroup&, const Regroup&) = default;
};

/// Creates one group of `ranks` that continues `chain`.
inline Regroup merged(RankSet ranks, Chain chain) { return {{{std::move(ranks), chain, {}}}}; }

/// Makes `group`, which has finished its chain, take the waiting walker `next`.
inline Regroup taken_up(const Group& group, const WaitingWalker& next) {
  return merged(group.ranks, {next.walker, next.items});
}

/// Whether `groups` differ from `group` only in the walker.
inline bool takes_up(const Group& group, std::span<const Group> groups) {
  return groups.size() == 1 && groups.front().ranks == group.ranks &&
         groups.front().chain.walker != group.chain.walker &&
         groups.front().chain.walker != Chain::none;
}

/// Ends the group's part in the run. The group must have no items left.
struct Stop {
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A message and its destination, usually the rank of a leader.
struct Outgoing {
  int to = 0;
  Message message;
  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

/// The next action of a group. Messages in `send` are sent first.
struct Decision {
  std::variant<Work, Wait, Exchange, Regroup, Stop> next;
  std::vector<Outgoing> send;
  friend bool operator==(const Decision&, const Decision&) = default;
};

class Balancer {
 public:
  virtual ~Balancer() = default;

  /// Decides the next action of the group that `known` describes.
  virtual Decision decide(const Knowledge& known) = 0;

  /// The groups after an exchange, from all groups before it, both from left to right. All leaders
  /// evaluate it, so it may depend only on its arguments. Default: no change.
  virtual std::vector<Group> plan(std::span<const Group> groups, const Forecast& forecast) const;

  /// Whether the balancer assigns waiting walkers to groups. If not, a finished group takes the
  /// next walker of its line before its balancer is called.
  virtual bool gives_walkers() const { return false; }

  /// Name of the message word `number`, for output.
  virtual std::string_view word(std::int32_t number) const;

  /// After a loss of ranks: the index in `groups` of the group that continues `orphan`, all of
  /// whose ranks were lost. The number of items of a group includes all walkers behind its chain in
  /// the line. May depend only on its arguments. Default: the group that would then finish first.
  virtual std::size_t heir(std::span<const Group> groups, const Chain& orphan,
                           const Forecast& forecast) const;

  /// A copy, and the memory of the balancer; balancers with equal memories must decide alike. Used
  /// by the explorer.
  virtual std::unique_ptr<Balancer> clone() const = 0;
  virtual Memory memory() const = 0;

 protected:
  Balancer() = default;
  Balancer(const Balancer&) = default;
  Balancer& operator=(const Balancer&) = default;
};

/// A balancer whose rules and memory are a plain struct. The struct has a function `decide`, and
/// optionally `plan`, `gives_walkers`, `word` and `heir`, which replace the defaults of `Balancer`.
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

/// The walker that `group` takes before its balancer is called; usually nullptr.
inline const WaitingWalker* due(const Group& group, const Balancer& balancer, const Queue& queue) {
  if (group.chain.items_left > 0 || balancer.gives_walkers()) return nullptr;
  return queue.after(group.chain.walker);
}

/// When a balancer regroups. Parent-collective strategies need in_exchanges, because all ranks take
/// part in an exchange.
enum class Regrouping { never, in_exchanges, any_time };

/// The groups that a balancer forms, which determine the strategies that it can use.
enum class Shapes { ranges, any };

/// Whether groups have walkers at the start, or all walkers wait.
enum class Start { with_walkers, idle };

/// A row of the list of balancers.
struct BalancerEntry : Entry {
  Regrouping regrouping;
  Shapes shapes;
  std::unique_ptr<Balancer> (*make)(const Options& options);
  /// Whether decisions depend on `Knowledge::random`. If a run contains nothing random, its
  /// repetitions in virtual time are skipped.
  bool (*draws)(const Options& options);
  Start start = Start::with_walkers;
};

/// `BalancerEntry::draws` of balancers that do not use `Knowledge::random`.
inline bool draws_nothing(const Options&) { return false; }

}  // namespace regroup
