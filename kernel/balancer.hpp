// SPDX-License-Identifier: BSD-3-Clause
//
// The socket that balancers plug into. A balancer is a pure decision: each group leader owns one
// balancer object, which is told what the leader knows and answers what the group does next. It
// performs no I/O, reads no clock and calls no MPI; therefore the same object runs on real
// processes, in virtual time, and under a checker that tries every order of events.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "communicators/rank_range.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// What one leader tells another. `ranks`, `walker` and `items_left` describe the sender's group at
/// the moment of sending; what each kind means is the balancer's own affair.
struct Message {
  enum class Kind : std::int32_t { request, accept, refuse, release };

  Kind kind = Kind::request;
  RankRange ranks;
  std::int32_t walker = 0;
  std::int64_t items_left = 0;
  friend bool operator==(const Message&, const Message&) = default;
};

/// What all leaders know of one group after an exchange of loads.
struct GroupLoad {
  RankRange ranks;
  std::int64_t items_left = 0;
  int walker = 0;
};

/// All that a balancer may base its decision on, besides what it remembers itself.
struct Knowledge {
  RankRange group;              ///< the deciding leader's group; it leads as `group.lo`
  int ranks = 0;                ///< of the whole run
  int walker = 0;               ///< the walker that the group executes, named by its first leader
  std::int64_t items_left = 0;  ///< of that walker
  std::optional<Message> message;  ///< the oldest message that was not shown before, if any
  std::uint64_t random = 0;        ///< fresh, uniformly distributed bits for every decision
};

/// Execute at most `items` items (at least 1, at most `items_left`), then decide again. A
/// `listening` group looks for a message after every item and decides as soon as there is one.
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

/// Exchange loads with the leaders of all groups, then regroup by `Balancer::partition`. Returns to
/// the balancer when every leader has come to its exchange and the regroupings, if any, are done.
/// While groups change in exchanges they must not change in any other way.
struct Exchange {
  friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Become one group with the neighbours in `ranks` and go on with `walker`. Every leader in `ranks`
/// must decide the same merge; the leader of the lowest rank stays leader and decides next, the
/// balancers of the others end here. A group may also regroup with nobody but itself.
struct Merge {
  RankRange ranks;
  int walker = 0;
  std::int64_t items_left = 0;
  friend bool operator==(const Merge&, const Merge&) = default;
};

/// The group leaves the run. It must have no items left.
struct Stop {
  friend bool operator==(const Stop&, const Stop&) = default;
};

/// A message and the leader (a rank) it goes to.
struct Outgoing {
  int to = 0;
  Message message;
  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

/// What a group does next; `send`, where present, goes out first.
struct Decision {
  std::variant<Work, Wait, Exchange, Merge, Stop> next;
  std::optional<Outgoing> send;
  friend bool operator==(const Decision&, const Decision&) = default;
};

class Balancer {
 public:
  virtual ~Balancer() = default;

  /// Decides for the group that `known` describes.
  virtual Decision decide(const Knowledge& known) = 0;

  /// After an exchange: the ranges that the groups shall have now, from left to right, given the
  /// loads from left to right. Every leader evaluates it on the same loads, so it must be a
  /// function of nothing else. A range may join whole groups and never divide one; a joined range
  /// goes on with the walker of its rightmost group. Default: everything stays as it is.
  virtual std::vector<RankRange> partition(std::span<const GroupLoad> loads) const;

  /// A copy with the same memory, and that memory as numbers: two balancers with equal memory
  /// decide alike. The exhaustive checker needs both.
  virtual std::unique_ptr<Balancer> clone() const = 0;
  virtual std::vector<std::int64_t> memory() const = 0;

 protected:
  Balancer() = default;
  Balancer(const Balancer&) = default;
  Balancer& operator=(const Balancer&) = default;
};

/// When the groups of a balancer change, and so who can be asked to take part in forming a
/// communicator: a parent-collective strategy needs every rank at once, which only an exchange
/// brings together.
enum class Regrouping { never, in_exchanges, any_time };

/// A row of the list of balancers.
struct BalancerEntry : Entry {
  Regrouping regrouping;
  std::unique_ptr<Balancer> (*make)(const Options& options);
  /// Whether its decisions depend on `Knowledge::random`. Where they do not, and nothing else of a
  /// run is drawn, repetitions in virtual time are equal, and are left out.
  bool (*draws)(const Options& options);
};

/// `BalancerEntry::draws` of balancers that never look at `Knowledge::random`.
inline bool draws_nothing(const Options&) { return false; }

}  // namespace regroup
