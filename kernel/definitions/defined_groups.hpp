// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "communicators/members.hpp"
#include "kernel/definitions/definitions.hpp"

namespace regroup {

/// Which processes are the members of every communicator of `definitions`, in their order.
class DefinedGroups {
 public:
  /// For so many processes; `processors`: the name of the processor that each of them is on, or
  /// nothing where that is not known. Throws UserError with file and line for a processor that
  /// nobody is on, a rank that there is not, a member twice, one that the parent does not have, and
  /// one of two groups of equal name or of both sides of an intercommunicator.
  DefinedGroups(const Definitions& definitions, int ranks, std::span<const std::string> processors);

  /// Of the communicator at that place of the list: ranks of all processes.
  const Members& members(int communicator) const {
    return members_[static_cast<std::size_t>(communicator)];
  }

  /// … as ranks in its parent.
  Members members_in_parent(int communicator) const;

  /// The communicator of that name whose member `rank` is, as a place in the list; -1 where it is
  /// in none.
  int communicator_of(std::string_view name, int rank) const;

 private:
  const Definitions* definitions_;
  std::vector<Members> members_;
};

}  // namespace regroup
