// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "regroup/balancer.hpp"

namespace regroup {

/// The chains that wait for messages, with their states stored at the leader of a group, and the
/// position in the group's line of the queue. Used only if chains exchange messages. When a rank
/// stops being a leader, its parking moves to the leader of its new group.
struct Parking {
  std::vector<Chain> chains;  ///< sorted by walker
  int latest = Chain::none;   ///< the last walker of the line that has been started

  bool has(const Chain& chain) const;

  /// Called when the leader's group `before` and perhaps others become `after`. Parks the chain of
  /// `before` unless a new group continues it, and removes the chains of the new groups.
  void regroup(const Group& before, std::span<const Group> after, const Queue& queue);

  /// Adds the parking of a leader that has become a member of this leader's group.
  void join(const Parking& other, const Queue& queue);

  friend bool operator==(const Parking&, const Parking&) = default;
};

/// Returns the chain that `group` takes before its balancer is called; std::nullopt: its own.
/// A group keeps a chain that is ready. Otherwise, it takes a parked chain that is ready, else the
/// next walker of its line, else, if its own chain has ended, any parked chain.
/// `is_ready`: whether the messages for the next item of a chain have arrived.
std::optional<Chain> next_chain(const Group& group, const Parking& parking, const Queue& queue,
                                const std::function<bool(const Chain&)>& is_ready);

}  // namespace regroup
