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
#include "engines/virtual/slots.hpp"
#include "kernel/parking.hpp"
#include "kernel/run.hpp"
#include "kernel/starting_groups.hpp"
#include "regroup/balancer.hpp"
#include "regroup/costs.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// A message on its way, or that waits to be shown to a leader.
struct SimulatedLetter {
  Message message;
  Slots<SimulatedLetter>::Index next =
      Slots<SimulatedLetter>::none;  // that waits for the same leader
};

/// Those that wait for a leader, the oldest first.
struct Inbox {
  Slots<SimulatedLetter>::Index oldest = Slots<SimulatedLetter>::none;
  Slots<SimulatedLetter>::Index latest = Slots<SimulatedLetter>::none;

  bool empty() const { return oldest == Slots<SimulatedLetter>::none; }

  void add(Slots<SimulatedLetter>& letters, Slots<SimulatedLetter>::Index letter) {
    (empty() ? oldest : letters[latest].next) = letter;
    latest = letter;
  }

  Slots<SimulatedLetter>::Index take_oldest(Slots<SimulatedLetter>& letters) {
    return std::exchange(oldest, std::exchange(letters[oldest].next, Slots<SimulatedLetter>::none));
  }
};

/// A rank that leads a walker group: what it knows, and what its group is doing.
struct SimulatedLeader {
  enum class Doing : std::uint8_t {
    deciding,
    working,
    waiting,
    blocked,  // its chain, and all that are parked, lack messages
    exchanging,
    regrouping,
    stopped,
    following  // another leader
  };

  int rank = 0;
  Group group;
  int nodes = 0;  // of the group, where they make a difference to costs
  std::unique_ptr<Balancer> balancer;
  ItemTimes measured;
  Inbox inbox;
  Parking parking;

  Doing doing = Doing::following;
  Work work;             // what is left of it
  Stretch stretch;       // the part of the work that is under way
  std::size_t life = 0;  // index in the outcome of that of its group
  Ticks ready_at = 0;    // when its members knew of the regrouping that they are in
};

/// All ranks, and who leads them.
class Leaders {
 public:
  /// The lowest rank of each of `groups` leads the others.
  Leaders(int ranks, const StartingGroups& groups);

  /// The leader `rank`, which need not have been one before.
  SimulatedLeader& at(int rank);

  /// The leader of the group that `rank` is in.
  SimulatedLeader& of(int rank);

  /// Counts what `leader`, and those who led at its rank before, were told to do.
  std::uint32_t& order(const SimulatedLeader& leader) { return rank(leader.rank).order; }

  /// The leader `rank` whose latest order is `order`; nullptr where it has another one.
  SimulatedLeader* find(int rank, std::uint32_t order);

  /// `leader`, which follows another one, is forgotten.
  void remove(const SimulatedLeader& leader);

  /// The leaders `parts` and those that they led follow the leader of `groups`, or of that group
  /// which they are in.
  void follow(std::span<const int> parts, std::span<const Group> groups);

  /// When all of `ranks`, whose groups have turned to a regrouping, know of it.
  Ticks ready_at(const RankSet& ranks);
  /// … all ranks of the groups that `parts` lead.
  Ticks ready_at(std::span<const int> parts);

  /// The groups that there are, by their leaders from left to right.
  std::vector<Group> groups();

 private:
  struct Rank {
    int follows = 0;  // itself where it leads, else one whose leader is its own
    Slots<SimulatedLeader>::Index leader = Slots<SimulatedLeader>::none;  // where it leads
    std::uint32_t order = 0;
  };

  void set_leader(const RankSet& group);
  Rank& rank(int number) { return ranks_[static_cast<std::size_t>(number)]; }

  std::vector<Rank> ranks_;
  Slots<SimulatedLeader> leaders_;
};

/// The seconds that it takes to bring the state of its walker to all of `group`, which forms of
/// `parts`, the leaders of other groups. Written down in `outcome`.
double hand_over_s(std::span<const int> parts, const Group& group, const RunInput& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome);

}  // namespace regroup
