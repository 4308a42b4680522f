// SPDX-License-Identifier: BSD-3-Clause
//
// A run without time: whatever could happen next may happen next. The explorer takes every step of
// every such world. Groups have one rank each at the start, since only their order matters.
//
// What may happen, and in which order:
//   - messages from one leader to another arrive in the order in which they were sent; what others
//     sent may arrive before or after
//   - a working group ends its item at any time; a listening one then looks for a message
//   - a group that waits goes on when a message arrives or, where it set a limit, at any time
//   - groups merge when all of them have come to it, and exchange loads when every group has
//   - a decision is shown the oldest message that has arrived, and a coin that falls either way
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "kernel/balancer.hpp"

namespace regroup {

/// What a balancer must not do, in words.
struct Broken : std::logic_error {
  using logic_error::logic_error;
};

/// Something that may happen next.
struct Step {
  enum class Kind { decide, arrive, end_item, time_out };

  Kind kind;
  int group;      ///< to which it happens, by its leader
  int from = -1;  ///< arrive: the leader that sent the message
  bool coin = false;
};

class RunWithoutTime {
 public:
  using Log = std::vector<std::string>;

  /// One group for each of `items`, all before their first decision.
  RunWithoutTime(const Balancer& prototype, std::span<const std::int64_t> items);

  /// All that may happen next. A coin that matters to nobody gives two equal worlds.
  std::vector<Step> steps() const;

  /// Lets `step` happen, and tells it to `log` where there is one. Throws Broken where the balancer
  /// breaks its contract.
  void take(const Step& step, Log* log = nullptr);

  /// Everybody has stopped and no message is left.
  bool finished() const;

  /// Equal exactly for worlds that have the same future.
  std::string key() const;

  /// What every group is doing, and which messages are on their way.
  Log words() const;

 private:
  struct Ready {};  // to decide
  struct Gone {};   // part of another group

  struct Group {
    RankRange ranks;
    int walker = 0;
    std::int64_t items_left = 0;
    std::shared_ptr<const Balancer> balancer;  // shared by worlds until it decides
    std::vector<Message> inbox;                // oldest first
    std::variant<Ready, Gone, Work, Wait, Exchange, Merge, Stop> doing;
  };

  struct Flight {
    int from;
    int to;
    Message message;
  };

  Group& at(int leader) { return groups_[static_cast<std::size_t>(leader)]; }
  const Group& at(int leader) const { return groups_[static_cast<std::size_t>(leader)]; }
  int ranks() const { return static_cast<int>(groups_.size()); }

  void arrive(const Step& step, Log* log);
  void end_item(const Step& step, Log* log);
  void decide(Group& group, bool coin, Log* log);
  void send(int from, const Outgoing& outgoing);

  void check(const Group& group, const Ready&) const;
  void check(const Group& group, const Gone&) const;
  void check(const Group& group, const Work& work) const;
  void check(const Group& group, const Wait&) const;
  void check(const Group& group, const Exchange&) const;
  void check(const Group& group, const Merge& merge) const;
  void check(const Group& group, const Stop&) const;

  void merge_if_all_are_there(const Merge& merge, Log* log);
  void exchange_if_all_are_there(Log* log);
  void join(RankRange ranks, int walker, std::int64_t items_left, Log* log);

  std::vector<Group> groups_;    // by their leader at the start
  std::vector<Flight> flights_;  // by sender and receiver, oldest first
};

}  // namespace regroup
