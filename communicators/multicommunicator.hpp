// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"

namespace regroup {

/// A communicator of any number of disjoint groups, made at once by their members alone: the
/// paper's multicommunicator, as a prototype on top of MPI. It is flattened into an
/// intercommunicator, which is merged: from groups of one rank each, a group-collective creation in
/// three steps, where Algorithm 1 takes log2 p rounds of two.
///
/// MPI has nothing that holds more than two groups. So it keeps two sides, the first half of the
/// groups and the others, each made by MPI_Comm_create_group: it shows what the idea costs, not
/// what it saves. Source: Dinan et al., EuroMPI 2011, section 5.2.
class Multicommunicator {
 public:
  /// Called by the members of all `groups`, ranks of `parent`, with the same groups. `tag`, 0 …
  /// range::Parent::max_tag, tells apart overlapping calls. The parent outlives it. Throws
  /// std::invalid_argument for groups that overlap or are empty and for a caller in none of them.
  Multicommunicator(Site& parent, const std::vector<Members>& groups, int tag);

  /// The side of the caller, in the order of the groups.
  MPI_Comm side() const { return side_.get(); }

  /// An intercommunicator of both sides; MPI_COMM_NULL with one group, and after an error of MPI.
  /// All members call it.
  CommHandle flatten() const;

  /// All members as one communicator, in the order of the groups. All members call it, last of all.
  CommHandle merge() &&;

 private:
  Site& parent_;
  int tag_;
  int other_leader_ = -1;  // the first rank of the other side; -1: there is none
  bool high_ = false;      // whether the caller is of the second side
  CommHandle side_;
};

}  // namespace regroup
