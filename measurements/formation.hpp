// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measurements/bench.hpp"

namespace regroup {

/// The groups of a measurement of communicator constructors, and this rank's part in forming them.
class Formation {
 public:
  Formation(const Subject& subject, Site& world);

  /// Whether this rank becomes a member of a group.
  bool joins() const { return joins_; }
  /// Whether it must enter the calls.
  bool takes_part() const { return !calls_.empty(); }
  /// Ranks that join no group.
  int outsiders() const { return outsiders_; }
  int groups() const { return groups_; }
  /// Whether forming them takes no communication.
  bool local() const { return strategy_.local() && all_ranges_; }

  /// The member that comes late where arrival skew is measured: the last of the first group; -1
  /// where that group has no other.
  int late_rank() const { return late_rank_; }

  /// Forms all groups of this rank, in the order of the layers, `times` times over, behind those
  /// in `comms`.
  void form(std::vector<GroupComm>& comms, int times = 1) const;

  /// Throws std::runtime_error where a communicator is not what was asked for.
  void check(const std::vector<GroupComm>& comms) const;

 private:
  Site& world_;
  const Strategy strategy_;
  MakeCommunicator make_;
  std::vector<Members> calls_;  // of this rank; of nobody where it only has to enter the call
  bool joins_ = false;
  bool all_ranges_ = true;
  int outsiders_ = 0;
  int groups_ = 0;
  int late_rank_ = -1;
};

/// What several creations take that are under way at once, and what part of that work hides: for
/// strategies and groups of which goes_on_beside_work holds; for others, nothing. `at_once` is the
/// number of creations of each group. Collective; whole on all ranks. Leaves no communicator
/// behind.
Samples measure_in_flight(const Bench& bench, int at_once);

/// How many communicators can be alive at a time, at first and after a storm of `regroupings`
/// random ones by the strategy of `subject`. Collective over `world`; whole on all ranks. Leaves no
/// communicator behind.
std::map<std::string, double> measure_storm(const Subject& subject, Site& world, int regroupings);

}  // namespace regroup
