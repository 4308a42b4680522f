// SPDX-License-Identifier: BSD-3-Clause
//
// How engines write down what becomes of a group.
#pragma once

#include "kernel/balancer.hpp"
#include "kernel/outcome.hpp"

namespace regroup {

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
