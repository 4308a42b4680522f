// SPDX-License-Identifier: BSD-3-Clause
//
// A run without time: whatever could happen next may happen next. The explorer takes every step of
// every such world.
//
// What may happen, and in which order:
//   - messages from one leader to another arrive in the order in which they were sent; what others
//     sent may arrive before or after
//   - a working group ends its item at any time; a listening one then looks for a message
//   - a group that waits goes on when a message arrives or, where it set a limit, at any time
//   - groups regroup when all of them have come to it, and exchange loads when every group has
//   - a message to a rank that does not lead sets out again, to the leader of its group
//   - an item of g ranks is expected to take 1/g seconds, and a regrouping no time
//   - what a chain tells another arrives when its item ends; a chain that lacks messages waits
//   - a rank is lost, and the others hear of it at once: they go on as rest_of() says
//   - a decision is shown the oldest message that has arrived, and a coin that falls either way
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

/// What a balancer must not do, in words.
struct ContractViolation : std::logic_error {
  using logic_error::logic_error;
};

/// Which walkers of a run wait at its start, and where its ranks are.
struct ExplorerSetup {
  int walkers = 0;         ///< so many beyond those of the groups
  bool everybody = false;  ///< those of the groups as well
  NodeMap nodes = {};      ///< that the ranks are on, where balancers know them
  int best_size =
      0;           ///< in groups of more or fewer ranks items take longer; 0: the more the faster
  int larger = 0;  ///< so many groups, from the left, have one rank more
  /// The messages between chains with so many items, where they exchange any.
  std::function<MessagePattern(std::span<const std::int64_t> items)> messages = nullptr;
  int losses = 0;  ///< so many ranks may be lost, one after the other; not with messages
  std::function<RunInput(const RunInput&, const Remains&)> recover = rest_of;
};

/// Something that may happen next.
struct Step {
  enum class Kind { decide, arrive, end_item, time_out, lose };

  Kind kind;
  int group;      ///< to which it happens, by its leader; lose: the rank
  int from = -1;  ///< arrive: the leader that sent the message
  bool coin = false;
};

class RunWithoutTime {
 public:
  using Log = std::vector<std::string>;

  /// A group of `group_size` ranks for each of `items`, but for those of walkers that wait behind
  /// them, all before their first decision.
  RunWithoutTime(const Balancer& prototype, std::span<const std::int64_t> items, int group_size = 1,
                 const ExplorerSetup& setup = {});

  /// All that may happen next. A coin that matters to nobody gives two equal worlds.
  std::vector<Step> steps() const;

  /// The ranks that may be lost next. A run that has no other way to its end than to lose one is
  /// wrong.
  std::vector<Step> losses() const;

  /// Lets `step` happen, and tells it to `log` where there is one. Throws ContractViolation where
  /// the balancer breaks its contract.
  void take(const Step& step, Log* log = nullptr);

  /// Everybody has stopped and no message is left.
  bool finished() const;

  /// Equal exactly for worlds that have the same future.
  std::string key() const;

  /// What every group is doing, and which messages are on their way.
  Log words() const;

 private:
  struct Ready {};      // to decide
  struct Following {};  // another leader

  struct Leader {
    Group group;
    std::shared_ptr<const Balancer> balancer;  // shared by worlds until it decides
    std::vector<Message> inbox;                // oldest first
    Parking parking;
    bool waits = false;  // working, for messages of other chains
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
  /// What the group turns to before its balancer is asked.
  std::optional<Chain> next_of(const Leader& leader) const;
  /// Those that wait for messages and can go on decide again.
  void unblock(const Leader& teller);

  std::shared_ptr<const RunInput> run_;
  std::shared_ptr<const Balancer> prototype_;
  std::shared_ptr<const ExplorerSetup> setup_;
  int losses_left_ = 0;
  StillWaiting waiting_;
  std::vector<Leader> leaders_;  // by rank
  // Where chains exchange messages:
  std::shared_ptr<const ChainProgress> progress_;
  std::vector<std::int64_t> executed_;  // items of each chain
  std::vector<Flight> flights_;         // by sender and receiver, oldest first
};

}  // namespace regroup
