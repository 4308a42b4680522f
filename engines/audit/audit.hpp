// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "kernel/starting_groups.hpp"
#include "regroup/balancer.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// What the times of a run must keep to, beside what is true of all clocks.
struct TimeLaw {
  /// The least time that the items of a group can take, in seconds.
  std::function<double(const GroupLife&)> least_s;

  /// A group forms when all of its parts have come to it. It need not where no rank waits for
  /// another: then a leader may have formed it before another part turned to it.
  bool forms_after_its_parts = true;

  /// By how much clocks of two processes may differ: so much at the common start, and so much more
  /// for each second since.
  double clocks_apart_s = 0;
  double clocks_drift = 0;

  /// Rounding of a time.
  double resolution_s = 0;
};

/// What is wrong, and with which of the lives; `life` is their number where it is with none.
struct Violation {
  std::size_t life;
  std::string what;
};

/// Replays the lives of all groups of a run, in their order, and checks what must hold in every
/// run, whatever its balancer and engine: the groups partition the ranks at all times, a group goes
/// on with a walker where another left it or takes up one that waited, every item of every walker
/// is executed exactly once by every member of the group that had it, and everybody stops. Where
/// ranks are lost, this holds of all others, who form groups anew together; items that were not
/// saved are executed again. With a `law`, also that times are finite, in order and long enough.
///
/// `groups` and `items` are the groups at the start and their items, from left to right; no items
/// where they are not known. `queue`: who waits at the start; all do where it has the walkers of
/// those groups. `parks`: a group may also leave a walker with items left and take up another,
/// since its chains exchange messages (kernel/parking.hpp). Answers the first violation, or
/// nothing.
std::optional<Violation> find_violation(std::span<const GroupLife> lives,
                                        const StartingGroups& groups,
                                        std::span<const std::int64_t> items,
                                        const TimeLaw* law = nullptr,
                                        const Queue& queue = nobody_waits, bool parks = false);

/// The same, in words.
std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           const StartingGroups& groups,
                                           std::span<const std::int64_t> items,
                                           const TimeLaw* law = nullptr,
                                           const Queue& queue = nobody_waits, bool parks = false);

/// What each walker has to execute, as those say who began with it, in the order of walkers.
std::vector<std::int64_t> items_at_start(std::span<const GroupLife> lives);

}  // namespace regroup
