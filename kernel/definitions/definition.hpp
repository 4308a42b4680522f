// SPDX-License-Identifier: BSD-3-Clause
//
// What a file of definitions says, before it is known which processes there are. The model is that
// of "externally defined communicators", section 3.2 of the paper of that name.
#pragma once

#include <string>
#include <vector>

#include "communicators/rank_range.hpp"

namespace regroup {

/// Some members, as they are written: ranks of all processes, or the processes on processors.
struct DefinedMembers {
  enum class Kind {
    ranks,      ///< top-down: by number
    processor,  ///< bottom-up: by MPI_Get_processor_name
    pattern,    ///< all processors whose whole name matches a regular expression, alphabetically
  };

  Kind kind = Kind::ranks;
  RankRange ranks = {};   ///< of ranks
  std::string text = {};  ///< of a processor or a pattern
  int which = -1;         ///< of the processes on each such processor, from 0; -1: all of them
  int key = 0;            ///< members are in the order of their keys, those of one key as written
  int line = 0;           ///< of the file, from 1
};

/// One communicator: of equal names, one group.
struct DefinedCommunicator {
  std::string name = {};  ///< an identifier of C
  int color = 0;          ///< 0, 1, … among those of equal name, as they are written
  int parent = -1;        ///< its place in the list, before this one; -1: all processes
  std::vector<DefinedMembers> members = {};
  int line = 0;
};

/// A group that an intercommunicator has.
struct DefinedSide {
  std::string name = {};
  int color = -1;  ///< -1 where none is given
  int line = 0;
  int communicator = -1;  ///< its place in the list
};

/// An intercommunicator between two communicators of one parent.
struct DefinedIntercommunicator {
  std::string name = {};
  int parent = -1;
  DefinedSide first = {};
  DefinedSide second = {};
  int line = 0;
};

}  // namespace regroup
