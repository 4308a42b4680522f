// SPDX-License-Identifier: BSD-3-Clause
//
// The one list of communicator strategies: how a set of ranks becomes a communicator. It includes
// no MPI header, so that configurations can be checked, and costs modelled, where there is no MPI.
// The code of row `name` stands in the file `name.cpp`, as the specialisation make<row("name")>.
#pragma once

#include <array>

#include "kernel/catalog.hpp"

namespace regroup {

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

struct Strategy : Entry {
  Caller caller;
  Forms forms = Forms::any;
  bool smpi = true;    ///< SimGrid's SMPI has the calls that it makes
  bool local = false;  ///< forms a range without communication, and no communicator of MPI

  /// Whether it can form the groups of balancers, which are ranges.
  constexpr bool serves_balancers() const { return forms == Forms::any || forms == Forms::ranges; }
};

inline constexpr std::array strategies{
    Strategy{
        {"comm_create", "MPI_Comm_create: all ranks of the parent, each naming its own group", {}},
        Caller::parent},
    Strategy{{"comm_split", "MPI_Comm_split: all ranks of the parent, by colour and key", {}},
             Caller::parent},
    Strategy{{"create_group", "MPI_Comm_create_group (MPI 3): the members only", {}},
             Caller::group},
    Strategy{{"intercomm_merge",
              "the paper's Algorithm 1: intercommunicators, merged in log2 rounds by the members",
              {}},
             Caller::group,
             Forms::any,
             false},
    Strategy{{"create_from_group",
              "MPI_Comm_create_from_group (MPI 4): the members only, from a session, no parent",
              {}},
             Caller::group,
             Forms::any,
             false},
    Strategy{{"intercomm_create_from_groups",
              "MPI_Intercomm_create_from_groups (MPI 4): between two halves, then merged",
              {}},
             Caller::group,
             Forms::any,
             false},
    Strategy{{"range", "our range communicator: no communication and no MPI communicator", {}},
             Caller::group,
             Forms::ranges,
             true,
             true},
    Strategy{{"icreate_group",
              "our nonblocking creation: a range at once, other groups by one broadcast",
              {}},
             Caller::group,
             Forms::any,
             true,
             true},
    Strategy{{"dup", "MPI_Comm_dup: a copy of the parent", {}}, Caller::parent, Forms::whole},
    Strategy{
        {"dup_with_info", "MPI_Comm_dup_with_info: a copy of the parent, with other hints", {}},
        Caller::parent,
        Forms::whole},
    Strategy{{"idup", "MPI_Comm_idup: a copy of the parent, nonblocking", {}},
             Caller::parent,
             Forms::whole,
             false},
    Strategy{{"idup_with_info",
              "MPI_Comm_idup_with_info (MPI 4): a copy of the parent, nonblocking, other hints",
              {}},
             Caller::parent,
             Forms::whole,
             false},
    Strategy{{"split_type_shared",
              "MPI_Comm_split_type, MPI_COMM_TYPE_SHARED: the ranks that share memory",
              {}},
             Caller::parent,
             Forms::shared},
    Strategy{
        {"split_type_hw_unguided",
         "MPI_Comm_split_type, MPI_COMM_TYPE_HW_UNGUIDED (MPI 4): the next smaller part of the "
         "machine",
         {}},
        Caller::parent,
        Forms::shared,
        false},
};

/// The place of the strategy `name` in the list; an unknown name does not compile.
consteval std::size_t row(std::string_view name) {
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    if (strategies[i].name == name) return i;
  }
  throw "no such strategy";
}

}  // namespace regroup
