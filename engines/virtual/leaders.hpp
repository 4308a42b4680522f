// SPDX-License-Identifier: BSD-3-Clause
//
// The leaders of walker groups in virtual time.
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

/// A message in transit or in the inbox of a leader.
struct SimulatedLetter {
  Message message;
  Slots<SimulatedLetter>::Index next =
      Slots<SimulatedLetter>::none;  // next message in the same inbox
};

/// The unread messages of a leader, a linked list that begins with the oldest.
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

/// A rank that leads a walker group: its knowledge and the current action of its group.
struct SimulatedLeader {
  enum class Doing : std::uint8_t {
    deciding,
    working,
    waiting,
    blocked,  // its chain and all parked chains lack messages
    exchanging,
    regrouping,
    stopped,
    following  // no longer a leader
  };

  int rank = 0;
  Group group;
  int nodes = 0;  // number of nodes of the group; 0 if nodes do not affect costs
  std::unique_ptr<Balancer> balancer;
  ItemTimes measured;
  Inbox inbox;
  Parking parking;

  Doing doing = Doing::following;
  Work work;             // the remaining work
  Stretch stretch;       // the part of the work in progress
  std::size_t life = 0;  // index of the life of its group in the outcome
  Ticks ready_at = 0;    // time when its members know of the current regrouping
};

/// All ranks and their leaders.
class Leaders {
 public:
  /// The lowest rank of each of `groups` becomes its leader.
  Leaders(int ranks, const StartingGroups& groups);

  /// Returns the leader `rank`, which is created if it does not exist.
  SimulatedLeader& at(int rank);

  /// Returns the leader of the group that contains `rank`.
  SimulatedLeader& of(int rank);

  /// Returns the order number of `leader`, which counts the orders of its rank in the whole phase.
  std::uint32_t& order(const SimulatedLeader& leader) { return rank(leader.rank).order; }

  /// Returns the leader `rank` if its order number is `order`, otherwise nullptr.
  SimulatedLeader* find(int rank, std::uint32_t order);

  /// Removes `leader`, which follows another leader now.
  void remove(const SimulatedLeader& leader);

  /// Assigns the leaders `parts` and all members of their groups to the leaders of `groups`, which
  /// contain the same ranks.
  void follow(std::span<const int> parts, std::span<const Group> groups);

  /// Returns the time when all of `ranks` know of the regrouping that their groups have decided.
  Ticks ready_at(const RankSet& ranks);
  /// The same for all ranks of the groups that `parts` lead.
  Ticks ready_at(std::span<const int> parts);

  /// Returns the current groups, sorted by their leaders.
  std::vector<Group> groups();

 private:
  struct Rank {
    int follows = 0;  // itself if it leads, else a rank with the same leader
    Slots<SimulatedLeader>::Index leader = Slots<SimulatedLeader>::none;  // if it leads
    std::uint32_t order = 0;
  };

  void set_leader(const RankSet& group);
  Rank& rank(int number) { return ranks_[static_cast<std::size_t>(number)]; }

  std::vector<Rank> ranks_;
  Slots<SimulatedLeader> leaders_;
};

/// Returns the time in seconds to hand over the state of its walker to all of `group`, which is
/// created from the groups that `parts` lead. Adds it to `outcome`.
double hand_over_s(std::span<const int> parts, const Group& group, const RunInput& run,
                   const Costs& costs, Leaders& leaders, Outcome& outcome);

}  // namespace regroup
