// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"

namespace regroup {

/// A communicator of any number of disjoint groups, made at once by their members alone: the
/// paper's multicommunicator, as a prototype on top of MPI. An intracommunicator of MPI has one
/// group and an intercommunicator two; this has as many as you like, and is flattened into an
/// intercommunicator, which is merged. From groups of one rank each that is a group-collective
/// creation in three steps, where Algorithm 1 takes log2 p rounds of two.
///
/// MPI has nothing between that could hold more than two groups: so it keeps two sides, which are
/// the first half of the groups and the others, each with a communicator of its own. For them it
/// needs MPI_Comm_create_group, which could as well form the whole at once: it shows what the idea
/// costs, not what it saves. Source: Dinan et al., EuroMPI 2011, section 5.2.
class Multicommunicator {
 public:
  /// Called by the members of all `groups`, ranks of `parent`, at the same time and with the same
  /// groups in the same order. `tag`, 0 … range::Parent::max_tag, tells apart the calls of members
  /// that overlap. The parent outlives it. Throws std::invalid_argument where groups overlap, where
  /// one is empty, and for a caller in none of them.
  Multicommunicator(Site& parent, const std::vector<Members>& groups, int tag);

  /// The side of the caller, in the order of the groups.
  MPI_Comm side() const { return side_.get(); }

  /// An intercommunicator of the caller's side and the other one. MPI_COMM_NULL where there is but
  /// one group, and after an error of MPI. All members call it.
  CommHandle flatten() const;

  /// All members as one communicator, in the order of the groups: flattened, then merged. All
  /// members call it, last of all.
  CommHandle merge() &&;

 private:
  Site& parent_;
  int tag_;
  int other_leader_ = -1;  // the first rank of the other side; -1: there is none
  bool high_ = false;      // whether the caller is of the second side
  CommHandle side_;
};

}  // namespace regroup
