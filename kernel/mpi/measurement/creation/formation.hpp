// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "kernel/mpi/measurement/measure.hpp"

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

}  // namespace regroup
