// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"

namespace regroup {

/// A communicator of any number of disjoint groups, created by their members alone: a prototype of
/// the paper's multicommunicator on top of MPI. It is flattened into an intercommunicator, which is
/// merged. From groups of one rank each, this is a group-collective creation in three steps, while
/// Algorithm 1 takes log2 p rounds of two steps.
///
/// MPI has no objects with more than two groups. So the prototype keeps two sides, the first half
/// of the groups and the other half, each created by MPI_Comm_create_group. It shows the cost of
/// the idea, but not its savings. Source: Dinan et al., EuroMPI 2011, section 5.2.
class Multicommunicator {
 public:
  /// Called by the members of all `groups`, ranks of `parent`, with the same groups. `tag`, 0 …
  /// range::Parent::max_tag, distinguishes overlapping calls. `parent` must outlive the object.
  /// Throws std::invalid_argument if groups overlap or are empty, or if the caller is in no group.
  Multicommunicator(Site& parent, const std::vector<Members>& groups, int tag);

  /// The communicator of the caller's side, with ranks in the order of the groups.
  MPI_Comm side() const { return side_.get(); }

  /// Creates an intercommunicator of both sides. Returns MPI_COMM_NULL if there is only one group,
  /// and after an MPI error. All members call it.
  CommHandle flatten() const;

  /// Creates a communicator of all members in the order of the groups. All members call it last.
  CommHandle merge() &&;

 private:
  Site& parent_;
  int tag_;
  int other_leader_ = -1;  // first rank of the other side, or -1 if there is none
  bool high_ = false;      // whether the caller is on the second side
  CommHandle side_;
};

}  // namespace regroup
