// SPDX-License-Identifier: BSD-3-Clause
//
// The one list of communicator strategies: how a set of ranks becomes a communicator. It includes
// no MPI header, so that configurations can be checked, and costs modelled, where there is no MPI.
// The code of the row `name` is the function of that name in constructors/name.cpp; a row that a
// program of one's own adds brings its code along.
#pragma once

#include <array>
#include <string_view>

namespace regroup {

class GroupComm;
class Members;
class Site;

/// Makes the communicator of `members`, ranks of the parent that hold the caller. Who must call at
/// the same time stands in the strategy's row, and which members it can form. Nobody's communicator
/// is empty; in a parent-collective strategy so is what a rank gets that is no member. `tag`, 0 …
/// range::Parent::max_tag, tells apart the calls of groups that overlap. Throws
/// std::invalid_argument for members that it cannot form, and where only they call, for others who
/// do. Whoever writes one needs make.hpp.
using MakeCommunicator = GroupComm (*)(Site& parent, const Members& members, int tag);

/// Who must enter the call that forms a communicator.
enum class Caller {
  parent,  ///< parent-collective: every rank of the parent communicator
  group,   ///< group-collective: only those that become members
};

/// Which groups a strategy can form.
enum class Forms {
  any,     ///< any ranks of the parent, in any order
  ranges,  ///< ranks that ascend in equal steps
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
  bool smpi = true;                 ///< SimGrid's SMPI has the calls that it makes
  MakeCommunicator make = nullptr;  ///< its code, where it is none of Regroup's own

  /// Whether it can form the groups of balancers, which are ranges.
  constexpr bool serves_balancers() const { return forms == Forms::any || forms == Forms::ranges; }

  /// Whether it forms a range without communication, and no communicator of MPI.
  constexpr bool local() const { return growth == Growth::none; }
};

inline constexpr std::array strategies{
    Strategy{.name = "comm_create",
             .help = "MPI_Comm_create: all ranks of the parent, each naming its own group",
             .caller = Caller::parent,
             .growth = Growth::log_parent},
    Strategy{.name = "comm_split",
             .help = "MPI_Comm_split: all ranks of the parent, by colour and key",
             .caller = Caller::parent,
             .growth = Growth::log_parent},
    Strategy{.name = "create_group", .help = "MPI_Comm_create_group (MPI 3): the members only"},
    Strategy{
        .name = "intercomm_merge",
        .help = "the paper's Algorithm 1: intercommunicators, merged in log2 rounds by the members",
        .growth = Growth::log_squared_members,
        .smpi = false},
    Strategy{.name = "multicommunicator",
             .help = "the paper's proposal: many groups at once, flattened into an "
                     "intercommunicator and merged: three steps by the members",
             .trees = 3,
             .smpi = false},
    Strategy{
        .name = "create_from_group",
        .help = "MPI_Comm_create_from_group (MPI 4): the members only, from a session, no parent",
        .smpi = false},
    Strategy{.name = "intercomm_create_from_groups",
             .help = "MPI_Intercomm_create_from_groups (MPI 4): between two halves, then merged",
             .smpi = false},
    Strategy{.name = "range",
             .help = "our range communicator: no communication and no MPI communicator",
             .forms = Forms::ranges,
             .growth = Growth::none},
    Strategy{.name = "icreate_group",
             .help = "our nonblocking creation: a range at once, other groups by an agreement",
             .growth = Growth::none},
    Strategy{.name = "dup",
             .help = "MPI_Comm_dup: a copy of the parent",
             .caller = Caller::parent,
             .forms = Forms::whole,
             .growth = Growth::log_parent},
    Strategy{.name = "dup_with_info",
             .help = "MPI_Comm_dup_with_info: a copy of the parent, with hints of MPI",
             .caller = Caller::parent,
             .forms = Forms::whole,
             .growth = Growth::log_parent},
    Strategy{.name = "idup",
             .help = "MPI_Comm_idup: a copy of the parent, nonblocking",
             .caller = Caller::parent,
             .forms = Forms::whole,
             .growth = Growth::log_parent,
             .smpi = false},
    Strategy{
        .name = "idup_with_info",
        .help = "MPI_Comm_idup_with_info (MPI 4): a copy of the parent, nonblocking, with hints",
        .caller = Caller::parent,
        .forms = Forms::whole,
        .growth = Growth::log_parent,
        .smpi = false},
    Strategy{.name = "split_type_shared",
             .help = "MPI_Comm_split_type, MPI_COMM_TYPE_SHARED: the ranks that share memory",
             .caller = Caller::parent,
             .forms = Forms::shared,
             .growth = Growth::log_parent},
    Strategy{.name = "split_type_hw_unguided",
             .help = "MPI_Comm_split_type, MPI_COMM_TYPE_HW_UNGUIDED (MPI 4): the next smaller "
                     "part of the machine",
             .caller = Caller::parent,
             .forms = Forms::shared,
             .growth = Growth::log_parent,
             .smpi = false},
    Strategy{.name = "split_type_hw_guided",
             .help = "MPI_Comm_split_type, MPI_COMM_TYPE_HW_GUIDED (MPI 4): by a word, the ranks "
                     "that share memory",
             .caller = Caller::parent,
             .forms = Forms::shared,
             .growth = Growth::log_parent,
             .smpi = false},
    Strategy{.name = "split_type_resource_guided",
             .help = "MPI_Comm_split_type, MPI_COMM_TYPE_RESOURCE_GUIDED (MPI 4.1): by the same "
                     "word",
             .caller = Caller::parent,
             .forms = Forms::shared,
             .growth = Growth::log_parent,
             .smpi = false},
};

}  // namespace regroup
