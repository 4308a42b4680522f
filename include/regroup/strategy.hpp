// SPDX-License-Identifier: BSD-3-Clause
//
// Communicator strategies: ways to create a communicator of a set of ranks. Needs no MPI header, so
// configurations can be checked, and costs modelled, without MPI.
#pragma once

#include <span>
#include <string_view>

namespace regroup {

class GroupComm;
class Members;
class Site;

/// Creates the communicator of `members`, ranks of the parent that include the caller. `Strategy`
/// specifies who must call, and which members are possible. In a parent-collective strategy, other
/// ranks pass no members and get an empty communicator. `tag`, 0 … range::Parent::max_tag,
/// distinguishes overlapping groups. Throws std::invalid_argument for members that are not
/// possible, and for callers that must not call.
using MakeCommunicator = GroupComm (*)(Site& parent, const Members& members, int tag);

/// Who must enter the call that creates a communicator.
enum class Caller {
  parent,  ///< parent-collective: every rank of the parent communicator
  group,   ///< group-collective: only the members
};

/// The groups that a strategy can form.
enum class Forms {
  any,     ///< any ranks of the parent, in any order
  whole,   ///< only all ranks of the parent
  shared,  ///< ranks that share a node or another part of the machine
};

/// Growth of the cost to create a communicator of a range.
enum class Growth {
  none,                 ///< no communication
  log_parent,           ///< logarithm of the number of ranks of the parent
  log_members,          ///< logarithm of the number of members
  log_squared_members,  ///< square of the logarithm of the number of members
};

/// A way to create communicators.
struct Strategy {
  std::string_view name;
  std::string_view help;
  Caller caller = Caller::group;
  Forms forms = Forms::any;
  Growth growth = Growth::log_members;
  int trees = 1;                    ///< number of communicators that it creates one after the other
  bool smpi = true;                 ///< whether SimGrid's SMPI has the functions that it calls
  MakeCommunicator make = nullptr;  ///< nullptr if the MPI library lacks its functions
  bool local_sets = false;  ///< whether it also creates groups with gaps without communication

  /// Whether balancers can use it.
  constexpr bool serves_balancers() const { return forms == Forms::any; }

  /// Whether it creates the communicator of a range without communication and without an MPI
  /// communicator.
  constexpr bool local() const { return growth == Growth::none; }
};

/// The strategies of Regroup. `make` is nullptr if the MPI library lacks the functions.
std::span<const Strategy> strategies();

}  // namespace regroup
