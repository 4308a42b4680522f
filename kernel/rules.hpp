// SPDX-License-Identifier: BSD-3-Clause
//
// The law of regrouping: what it conserves. Engines, explorer and audit all ask here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regroup/balancer.hpp"
#include "regroup/outcome.hpp"

namespace regroup {

/// What breaks the law where the groups `before` become `after`; nothing if it holds: every rank is
/// in exactly one group of each side, every chain with items left is continued by exactly one
/// group, with these items, and all other chains are of walkers that wait.
///
/// In a run whose chains exchange messages a chain may also be parked (kernel/parking.hpp): a chain
/// with items left is then executed by exactly one group or parked at exactly one leader. `parked`:
/// those at the leaders of `before`; nothing where chains are never parked.
std::optional<std::string> violation(std::span<const Group> before, std::span<const Group> after,
                                     const StillWaiting& waiting = nobody_is_left,
                                     std::optional<std::span<const Chain>> parked = {});

/// The same as far as `part` can tell: its ranks go on, and its chain unless it `may_park`.
std::optional<std::string> violation(const Group& part, std::span<const Group> after,
                                     bool may_park = false);

/// What a plan changes: the groups that stay with their ranks and chain, and those before and after
/// that do not; each by leaders from left to right.
struct Change {
  std::vector<Group> staying;
  std::vector<Group> before;
  std::vector<Group> after;
  std::optional<std::string> violation;  ///< of the law, by the whole plan
};
Change change_of(std::span<const Group> present, std::span<const Group> planned,
                 const StillWaiting& waiting = nobody_is_left);

/// "group 4-7", "group 4", "group 4-7 9".
std::string name_of(const RankSet& ranks);

/// "3 items of walker 8", "no chain".
std::string name_of(const Chain& chain);

// How engines write down what becomes of a group.

/// `group` came to be by `turn`, at `formed_s`.
inline GroupLife begun(const Group& group, Turn turn, double formed_s) {
  GroupLife life;
  life.ranks = group.ranks;
  life.walker = group.chain.walker;
  life.began = turn;
  life.items_before = group.chain.items_left;
  life.formed_s = life.busy_until_s = formed_s;
  return life;
}

/// … executed so many items until `until_s`,
inline void worked(GroupLife& life, std::int64_t items, double until_s) {
  life.executed_min = life.executed_max += items;
  life.busy_until_s = until_s;
}

/// … and ended by `turn`, at `ended_s`.
inline void end(GroupLife& life, const Group& group, Turn turn, double ended_s) {
  life.items_after = group.chain.items_left;
  life.ended = turn;
  life.ended_s = ended_s;
}

}  // namespace regroup
