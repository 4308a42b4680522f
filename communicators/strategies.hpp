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

struct Strategy : Entry {
  Caller caller;
  bool smpi = true;  ///< SimGrid's SMPI has the calls that it makes
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
