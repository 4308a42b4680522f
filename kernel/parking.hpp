// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// The chains that wait with their states at the leader of a group, since each lacked messages of
/// other chains, and how far the group's line of the queue has come. Only in runs whose chains
/// exchange messages. When a rank no longer leads, all this moves to the leader of its group.
struct Parking {
  std::vector<Chain> chains;  ///< by walker
  int latest = Chain::none;   ///< the walker of the line that was begun last

  bool has(const Chain& chain) const;

  /// The leader's group `before` becomes `after`, perhaps together with others: its chain is parked
  /// unless one of them continues it; what they take up is parked no longer. `queue`: of the run.
  void regroup(const Group& before, std::span<const Group> after, const Queue& queue);

  /// … and what waited at a leader who follows this one now waits here.
  void join(const Parking& other, const Queue& queue);

  friend bool operator==(const Parking&, const Parking&) = default;
};

/// The chain that `group` turns to before its balancer is asked; nothing: it keeps its own.
/// A group whose chain can go on keeps it. Otherwise, it turns to a parked chain that can; to the
/// next walker of its line; or, where its own chain has ended, to any that is parked.
/// `is_ready`: whether the messages for the next item of a chain are there.
std::optional<Chain> next_chain(const Group& group, const Parking& parking, const Queue& queue,
                                const std::function<bool(const Chain&)>& is_ready);

}  // namespace regroup
