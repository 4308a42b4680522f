// SPDX-License-Identifier: BSD-3-Clause
//
// Whom the events of virtual time happen to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engines/virtual/pace.hpp"
#include "kernel/parking.hpp"
#include "kernel/run.hpp"
#include "kernel/starting_groups.hpp"
#include "regroup/balancer.hpp"
#include "regroup/costs.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Messages that wait to be shown; rarely more than two.
class Inbox {
 public:
  bool empty() const { return shown_ == messages_.size(); }
  void add(Message message) { messages_.push_back(std::move(message)); }

  /// The oldest.
  Message take() {
    Message oldest = std::move(messages_[shown_++]);
    if (empty()) {
      messages_.clear();
      shown_ = 0;
    }
    return oldest;
  }

 private:
  std::vector<Message> messages_;  // oldest first
  std::size_t shown_ = 0;          // of them
};

/// A rank that leads a walker group or did: what it knows, and what its group is doing.
struct SimulatedLeader {
  enum class Doing : std::uint8_t {
    deciding,
    working,
    waiting,
    blocked,  // its chain, and all that are parked, lack messages
    exchanging,
    regrouping,
    stopped,
    following  // another leader: the rest means nothing then
  };

  int rank = 0;
  Group group;
  int nodes = 0;  // of the group, where they make a difference to costs
  std::unique_ptr<Balancer> balancer;
  ItemTimes measured;
  Inbox inbox;
  Parking parking;

  Doing doing = Doing::following;
  std::uint32_t order = 0;  // counts what it was told to do
  Work work;                // what is left of it
  Stretch stretch;          // the part of the work that is under way
  GroupLife life;           // of its group, so far
  std::size_t row = 0;      // of the outcome, for that life
  Ticks ready_at = 0;       // when its members knew of the regrouping that they are in
};

/// All ranks, and who leads them.
class Leaders {
 public:
  /// The lowest rank of each of `groups` leads the others.
  Leaders(int ranks, const StartingGroups& groups);

  /// `rank` as a leader, which it may not have been before.
  SimulatedLeader& at(int rank);

  /// The leader of the group that `rank` is in.
  SimulatedLeader& of(int rank);

  /// The leaders `parts` and those that they led follow the leader of `groups`, or of that group
  /// which they are in.
  void follow(std::span<const int> parts, std::span<const Group> groups);

  /// When all of `ranks`, whose groups have turned to a regrouping, know of it.
  Ticks ready_at(const RankSet& ranks);

  /// The groups that there are, by their leaders from left to right.
  std::vector<Group> groups();

 private:
  std::vector<std::unique_ptr<SimulatedLeader>> leaders_;  // by rank; null where it never led
  std::vector<int> follows_;  // by rank: itself where it leads, else one whose leader is its own
};

/// The seconds that it takes to bring the state of its walker to all of `group`, which forms of
/// `parts`, the leaders of other groups. Written down in `outcome`.
double hand_over_s(std::span<const int> parts, const Group& group, const RunInput& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome);

}  // namespace regroup
