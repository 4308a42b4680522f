// SPDX-License-Identifier: BSD-3-Clause
//
// A run without time: every possible event may be the next one. The explorer takes every step from
// every state of such a run.
//
// Possible events and their order:
//   - messages from one leader to another arrive in the order in which they were sent; messages
//     from different leaders arrive in any order
//   - a working group ends its item at any time; a listening group then looks for a message
//   - a waiting group goes on when a message arrives or, if it has set a limit, at any time
//   - groups regroup when all of them are ready for it, and exchange loads when every group is
//   - a message to a rank that is not a leader is forwarded to the leader of its group
//   - forecasts: an item on g ranks takes 1/g seconds, and a regrouping takes no time
//   - messages of a chain to others arrive when its item ends; a chain that lacks messages waits
//   - if a rank is lost, the others detect it at once and continue with rest_of()
//   - a decision receives the oldest message that has arrived, and a random bit, the coin
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "kernel/chains/chain_progress.hpp"
#include "kernel/parking.hpp"
#include "kernel/recovery.hpp"
#include "kernel/rules.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// A description of how a balancer broke its contract.
struct ContractViolation : std::logic_error {
  using logic_error::logic_error;
};

/// Properties of a run besides its items and its group size.
struct ExplorerSetup {
  int walkers = 0;         ///< number of waiting walkers beyond those of the groups
  bool everybody = false;  ///< whether the walkers of the groups wait as well
  NodeMap nodes = {};      ///< nodes of the ranks, if balancers know them
  int best_size = 0;       ///< group size for which items are fastest; 0: larger groups are faster
  int larger = 0;          ///< number of groups, from the left, with one additional rank
  /// Returns the messages between chains with `items` items; nullptr: there are none.
  std::function<MessagePattern(std::span<const std::int64_t> items)> messages = nullptr;
  int losses = 0;  ///< number of ranks that may be lost, one after the other; not with messages
  std::function<RunInput(const RunInput&, const Remains&)> recover = rest_of;
};

/// A possible next event.
struct Step {
  enum class Kind { decide, arrive, end_item, time_out, lose };

  Kind kind;
  int group;      ///< leader of the affected group; arrive: receiver; lose: lost rank
  int from = -1;  ///< arrive: the leader that sent the message
  bool coin = false;
};

class RunWithoutTime {
 public:
  using Log = std::vector<std::string>;

  /// Creates a group of `group_size` ranks for each of `items`, except the last ones, which belong
  /// to waiting walkers. No group has decided yet.
  RunWithoutTime(const Balancer& prototype, std::span<const std::int64_t> items, int group_size = 1,
                 const ExplorerSetup& setup = {});

  /// Returns all possible steps except losses, each twice: with both values of the coin.
  std::vector<Step> steps() const;

  /// Returns the possible losses. They are separate because a run must be able to end without them.
  std::vector<Step> losses() const;

  /// Executes `step` and, if `log` is given, describes it there. Throws ContractViolation if the
  /// balancer breaks its contract.
  void take(const Step& step, Log* log = nullptr);

  /// Whether all groups have stopped and no message is in transit.
  bool finished() const;

  /// Returns a key of the state; states with equal keys have the same future.
  std::string key() const;

  /// Describes the action of every group, and the messages in transit.
  Log words() const;

 private:
  struct Ready {};      // about to decide
  struct Following {};  // not a leader

  struct Leader {
    Group group;
    std::shared_ptr<const Balancer> balancer;  // shared between states until it decides
    std::vector<Message> inbox;                // oldest first
    Parking parking;
    bool waits = false;  // has work, but its chain lacks messages
    std::variant<Following, Ready, Work, Wait, Exchange, Regroup, Stop> doing;
  };

  struct Flight {
    int from;
    int to;
    Message message;
  };

  Leader& at(int rank) { return leaders_[static_cast<std::size_t>(rank)]; }
  const Leader& at(int rank) const { return leaders_[static_cast<std::size_t>(rank)]; }
  int ranks() const { return static_cast<int>(leaders_.size()); }
  bool leads(int rank) const { return !std::holds_alternative<Following>(at(rank).doing); }
  int leader_of(int rank) const;

  RunWithoutTime(std::shared_ptr<const RunInput> run, std::shared_ptr<const ExplorerSetup> setup,
                 int losses);

  void lose(int rank, Log* log);
  void arrive(const Step& step, Log* log);
  void end_item(const Step& step, Log* log);
  void decide(Leader& leader, bool coin, Log* log);
  void send(int from, int to, const Message& message);

  void check(const Leader&, const Following&) const {}
  void check(const Leader&, const Ready&) const {}
  void check(const Leader&, const Wait&) const {}
  void check(const Leader&, const Exchange&) const {}
  void check(const Leader& leader, const Work& work) const;
  void check(const Leader& leader, const Regroup& regroup) const;
  void check(const Leader& leader, const Stop&) const;

  void regroup_if_all_are_there(const Regroup& regroup, Log* log);
  void exchange_if_all_are_there(Log* log);
  void form(std::span<const int> parts, const std::vector<Group>& groups, Log* log);

  bool exchanges() const { return progress_ != nullptr; }
  bool is_ready(const Chain& chain) const;
  bool is_blocked(const Leader& leader) const;
  /// Returns the chain that the group takes before its balancer is called, if any.
  std::optional<Chain> next_of(const Leader& leader) const;
  /// Makes all other groups that waited for messages and can go on decide again.
  void unblock(const Leader& teller);

  std::shared_ptr<const RunInput> run_;
  std::shared_ptr<const Balancer> prototype_;
  std::shared_ptr<const ExplorerSetup> setup_;
  int losses_left_ = 0;
  StillWaiting waiting_;
  std::vector<Leader> leaders_;  // by rank
  // Only if chains exchange messages:
  std::shared_ptr<const ChainProgress> progress_;
  std::vector<std::int64_t> executed_;  // number of items by chain
  std::vector<Flight> flights_;         // sorted by sender and receiver, then oldest first
};

}  // namespace regroup
