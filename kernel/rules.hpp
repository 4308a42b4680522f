// SPDX-License-Identifier: BSD-3-Clause
//
// The law of regrouping: what it conserves, whatever the balancer, the engine and the clock. The
// engines, the explorer and the audit of results all ask here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "communicators/rank_range.hpp"

namespace regroup {

/// A walker group at the moment of a regrouping: as it ends, or as it forms.
struct GroupState {
  RankRange ranks;
  int walker = 0;  ///< named by its first leader
  std::int64_t items_left = 0;
  std::size_t unread = 0;  ///< messages to its leader that were not shown to its balancer
};

/// What is wrong where `part` becomes a part of `whole`; nothing where the law holds: a part is
/// never divided, only the rightmost part may have items left, and exactly these are taken over
/// with their walker; and who leads no longer has read all messages.
std::optional<std::string> violation(const GroupState& part, const GroupState& whole);

/// … where `parts`, from left to right, become `whole`: besides, they are all of its ranks, and no
/// others.
std::optional<std::string> violation(std::span<const GroupState> parts, const GroupState& whole);

/// "group 4-7", "group 4".
std::string name_of(RankRange ranks);

}  // namespace regroup
