// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator strategies: how a set of ranks becomes a communicator. Needs no MPI header, so
// that configurations can be checked, and costs modelled, without MPI.
#pragma once

#include <span>
#include <string_view>

namespace regroup {

class GroupComm;
class Members;
class Site;

/// Makes the communicator of `members`, ranks of the parent that hold the caller. The row says who
/// must call, and which members it can form. In a parent-collective strategy, ranks outside pass no
/// members and get an empty communicator. `tag`, 0 … range::Parent::max_tag, tells apart
/// overlapping groups. Throws std::invalid_argument for members that it cannot form and for callers
/// that must not call.
using MakeCommunicator = GroupComm (*)(Site& parent, const Members& members, int tag);

/// Who must enter the call that forms a communicator.
enum class Caller {
  parent,  ///< parent-collective: every rank of the parent communicator
  group,   ///< group-collective: only those that become members
};

/// Which groups a strategy can form.
enum class Forms {
  any,     ///< any ranks of the parent, in any order
  whole,   ///< all ranks of the parent, and nothing else
  shared,  ///< the ranks that share a node, or another part of the machine
};

/// How the cost of forming a range grows.
enum class Growth {
  none,                 ///< it takes no communication
  log_parent,           ///< with the levels of a tree over the parent
  log_members,          ///< … over the members
  log_squared_members,  ///< with the square of the latter
};

/// A way to form communicators.
struct Strategy {
  std::string_view name;
  std::string_view help;
  Caller caller = Caller::group;
  Forms forms = Forms::any;
  Growth growth = Growth::log_members;
  int trees = 1;                    ///< how many communicators it forms one after the other
  bool local_sets = false;          ///< it forms groups with gaps without communication, too
  bool smpi = true;                 ///< SimGrid's SMPI has the calls that it makes
  MakeCommunicator make = nullptr;  ///< none where the MPI library lacks its calls

  /// Whether it can form the groups of balancers.
  constexpr bool serves_balancers() const { return forms == Forms::any; }

  /// Whether it forms a range without communication, and no communicator of MPI.
  constexpr bool local() const { return growth == Growth::none; }
};

/// Regroup's own strategies. A strategy whose calls the MPI library lacks has no `make`.
std::span<const Strategy> strategies();

}  // namespace regroup
