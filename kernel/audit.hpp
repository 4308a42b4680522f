// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "kernel/outcome.hpp"

namespace regroup {

/// Replays the lives of all groups of a run and checks what must hold in every run, whatever its
/// balancer and engine: the groups partition the ranks at all times, only neighbours merge, a
/// merged group goes on with the walker of its rightmost part, every item of every walker is
/// executed exactly once by every member of the group that had it, and everybody stops.
///
/// `groups` and `items` are the groups at the start and their items, from left to right. Answers
/// the first violation, or nothing.
///
/// The order of events follows from the ranges alone: groups only ever grow, so a group that
/// contains another came later. The check needs no clock and holds for processes whose clocks
/// differ.
std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           std::span<const RankRange> groups,
                                           std::span<const std::int64_t> items);

}  // namespace regroup
