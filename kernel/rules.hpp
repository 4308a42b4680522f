// SPDX-License-Identifier: BSD-3-Clause
//
// Conservation of ranks and chains in regroupings, checked by engines, explorer and audit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// Returns the violation, if any, when the groups `before` become `after`. Every rank must be in
/// exactly one group before and one after. Every chain with items left must be continued by exactly
/// one group, with these items. All other chains must belong to waiting walkers.
///
/// If chains exchange messages, a chain may also be parked (kernel/parking.hpp): a chain with items
/// left must then be executed by exactly one group or parked at exactly one leader. `parked`: the
/// chains parked at the leaders of `before`; std::nullopt if chains are never parked.
std::optional<std::string> violation(std::span<const Group> before, std::span<const Group> after,
                                     const StillWaiting& waiting = nobody_is_left,
                                     std::optional<std::span<const Chain>> parked = {});

/// Same for `part` alone: `after` must contain its ranks and, unless it `may_park`, its chain.
std::optional<std::string> violation(const Group& part, std::span<const Group> after,
                                     bool may_park = false);

/// The changes of a plan: groups that keep their ranks and chain, and all other groups before and
/// after it; each sorted by leader.
struct Change {
  std::vector<Group> staying;
  std::vector<Group> before;
  std::vector<Group> after;
  std::optional<std::string> violation;  ///< of the whole plan, if any
};
Change change_of(std::span<const Group> present, std::span<const Group> planned,
                 const StillWaiting& waiting = nobody_is_left);

/// "group 4-7", "group 4", "group 4-7 9".
std::string name_of(const RankSet& ranks);

/// "3 items of walker 8", "no chain".
std::string name_of(const Chain& chain);

// Records of the lives of groups, for engines.

/// Begins the life of `group`, which was formed by `turn` at `formed_s`.
inline GroupLife begun(const Group& group, Turn turn, double formed_s) {
  GroupLife life;
  life.ranks = group.ranks;
  life.walker = group.chain.walker;
  life.began = turn;
  life.items_before = group.chain.items_left;
  life.formed_s = life.busy_until_s = formed_s;
  return life;
}

/// Adds `items` items, which were executed until `until_s`.
inline void worked(GroupLife& life, std::int64_t items, double until_s) {
  life.executed_min = life.executed_max += items;
  life.busy_until_s = until_s;
}

/// Ends the life of `group` by `turn` at `ended_s`.
inline void end(GroupLife& life, const Group& group, Turn turn, double ended_s) {
  life.items_after = group.chain.items_left;
  life.ended = turn;
  life.ended_s = ended_s;
}

}  // namespace regroup
