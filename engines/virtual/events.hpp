// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine of virtual time moves.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "engines/virtual/pace.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

struct Event {
  static constexpr std::uint64_t wakes = std::uint64_t{1} << 63;

  Ticks at;
  std::uint64_t turn;  // at equal times: messages in the order of their making, then wakes
  std::uint32_t what;  // message: its place; wake: the order of the leader when it was made, as
                       // others are stale
  int rank;            // to which it happens

  bool is_message() const { return turn < wakes; }
};

struct Later {
  bool operator()(const Event& a, const Event& b) const {
    return a.at != b.at ? a.at > b.at : a.turn > b.turn;
  }
};

/// What is to happen, the next first. Messages stay apart from the events that bring them, which
/// are moved about.
class Events {
 public:
  bool empty() const { return queue_.empty(); }
  /// When the next happens; last_tick if none does.
  Ticks next_at() const { return queue_.empty() ? last_tick : queue_.top().at; }
  /// How many there ever were.
  std::uint64_t made() const { return made_; }

  /// Wakes the leader `rank`, unless it has another order by then.
  void wake(int rank, std::uint32_t order, Ticks at) {
    queue_.push({at, Event::wakes + ++made_, order, rank});
  }

  void bring(Message message, int rank, Ticks at) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(messages_.size()));
      messages_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    messages_[place] = std::move(message);
    queue_.push({at, ++made_, place, rank});
  }

  Event take() {
    const Event next = queue_.top();
    queue_.pop();
    return next;
  }

  /// Of an event that was taken; once.
  Message message(const Event& event) {
    free_.push_back(event.what);
    return std::move(messages_[event.what]);
  }

 private:
  std::priority_queue<Event, std::vector<Event>, Later> queue_;
  std::uint64_t made_ = 0;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_;  // places in them
};

}  // namespace regroup
