// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine of virtual time moves: events, and the groups that they happen to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernel/balancer.hpp"
#include "kernel/virtual/pace.hpp"

namespace regroup {

struct Event {
  enum class Kind : std::uint8_t { message, wake };  // in the order of delivery at equal times

  Ticks at;
  std::uint64_t number;  // events of one time and kind happen in the order of their making
  Kind kind;
  std::uint32_t order;  // wake: the order of the group that it belongs to; others are stale
  std::size_t group;
  Message message;
};

struct Later {
  bool operator()(const Event& a, const Event& b) const {
    if (a.at != b.at) return a.at > b.at;
    if (a.kind != b.kind) return a.kind > b.kind;
    return a.number > b.number;
  }
};

/// A walker group: what its leader knows, and what it is doing.
struct SimulatedGroup {
  enum class Doing : std::uint8_t {
    deciding,
    working,
    waiting,
    exchanging,
    merging,
    stopped,
    gone
  };

  RankRange ranks;
  int walker = 0;
  std::int64_t items_left = 0;
  std::unique_ptr<Balancer> balancer;
  std::vector<Message> inbox;  // oldest first; rarely more than two

  Doing doing = Doing::deciding;
  std::uint32_t order = 0;  // counts what it was told to do
  Work work;                // what is left of it
  Stretch stretch;          // the part of the work that is under way
  std::size_t life = 0;     // its row of the outcome
  int gathered = 0;         // ranks that have come to the merge that it will lead
  Ticks gathered_at = 0;    // when the last of them was ready
};

}  // namespace regroup
