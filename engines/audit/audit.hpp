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

/// Rules for the times of a run, besides those that hold for all clocks.
struct TimeLaw {
  /// Returns the least time that the items of a group can take, in seconds.
  std::function<double(const GroupLife&)> least_s;

  /// Whether a group forms only after all of its parts have ended. False if ranks do not wait for
  /// each other: then a leader may form a group before another part has ended.
  bool forms_after_its_parts = true;

  /// Largest difference between the clocks of two processes: at the common start, and its increase
  /// per second since.
  double clocks_apart_s = 0;
  double clocks_drift = 0;

  /// Rounding error of a time, in seconds.
  double resolution_s = 0;
};

/// A violation, and the index of its life; `life` is the number of lives if it concerns none.
struct Violation {
  std::size_t life;
  std::string what;
};

/// Replays the lives of all groups of a run, in their order, and checks the invariants of every
/// run, whatever its balancer and engine: the groups partition the ranks at all times; a group
/// continues a walker where another group left it, or takes a waiting walker; every item of every
/// walker is executed exactly once by every member of its group; and all groups stop. If ranks are
/// lost, this holds for the other ranks, which form new groups together; items that were not saved
/// are executed again. With a `law`, also checks that times are finite, in order and long enough.
///
/// `groups` and `items` are the groups at the start and their items, from left to right; `items` is
/// empty if they are unknown. `queue`: the walkers that wait at the start, including those of the
/// groups if all walkers wait. `parks`: a group may also leave a walker with items left and take
/// another, since its chains exchange messages (kernel/parking.hpp). Returns the first violation,
/// if any.
std::optional<Violation> find_violation(std::span<const GroupLife> lives,
                                        const StartingGroups& groups,
                                        std::span<const std::int64_t> items,
                                        const TimeLaw* law = nullptr,
                                        const Queue& queue = nobody_waits, bool parks = false);

/// The same, but returns only the description.
std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           const StartingGroups& groups,
                                           std::span<const std::int64_t> items,
                                           const TimeLaw* law = nullptr,
                                           const Queue& queue = nobody_waits, bool parks = false);

/// Returns the number of items of each walker at the start of its first life, sorted by walker.
std::vector<std::int64_t> items_at_start(std::span<const GroupLife> lives);

}  // namespace regroup
