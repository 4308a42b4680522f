// SPDX-License-Identifier: BSD-3-Clause
//
// The event queue of virtual time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "engines/virtual/pace.hpp"

namespace regroup {

struct Event {
  Ticks at;
  std::uint32_t what;  // message: its index; wake: order number of the leader when it was added
                       // (stale if the leader has another one by then)
  int rank;            // receiver of the message, or leader to wake
};

/// A queue of events by time; events with equal times stay in the order in which they were added.
///
/// A radix heap: the bucket of an event is given by the highest bit in which its time differs from
/// that of the last event taken; bucket 0 holds the events with that same time. When it is empty,
/// the events of the next non-empty bucket are redistributed to the buckets before it.
class Timeline {
 public:
  bool empty() const { return used_ == 0; }
  /// Returns the time of the next event, or last_tick if there is none.
  Ticks next_at() const { return empty() ? last_tick : next().least; }

  /// Adds an event, which must not be earlier than the last event taken.
  void add(const Event& event) {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(event.at ^ taken_at_));
    Bucket& bucket = buckets_[bits];
    bucket.events.push_back(event);
    bucket.least = std::min(bucket.least, event.at);
    used_ |= std::uint64_t{1} << bits;
  }

  Event take() {
    if ((used_ & 1) == 0) {
      Bucket& bucket = next();
      taken_at_ = bucket.least;
      for (const Event& event : bucket.events) add(event);
      clear(bucket);
    }
    Bucket& now = buckets_[0];
    const Event event = now.events.front();
    now.events.pop_front();
    if (now.events.empty()) clear(now);
    return event;
  }

 private:
  struct Bucket {
    std::deque<Event> events;
    Ticks least = last_tick;  // time of the earliest event
  };

  void clear(Bucket& bucket) {
    bucket.events.clear();
    bucket.least = last_tick;
    used_ &= ~(std::uint64_t{1} << (&bucket - buckets_.data()));
  }

  const Bucket& next() const { return buckets_[static_cast<std::size_t>(std::countr_zero(used_))]; }
  Bucket& next() { return buckets_[static_cast<std::size_t>(std::countr_zero(used_))]; }

  std::array<Bucket, 64> buckets_;  // 64 suffice because times are not negative
  std::uint64_t used_ = 0;          // bit i is set if bucket i is not empty
  Ticks taken_at_ = 0;
};

/// The queues of messages and of wakes; at equal times, messages come first.
class Events {
 public:
  bool empty() const { return messages_.empty() && wakes_.empty(); }
  /// Returns the time of the next event, or last_tick if there is none.
  Ticks next_at() const { return std::min(messages_.next_at(), wakes_.next_at()); }
  bool message_is_next() const {
    return !messages_.empty() && messages_.next_at() <= wakes_.next_at();
  }
  /// Returns the number of events added so far.
  std::uint64_t made() const { return made_; }

  /// Wakes the leader `rank` at time `at` if its order number is still `order`.
  void wake(int rank, std::uint32_t order, Ticks at) {
    ++made_;
    wakes_.add({at, order, rank});
  }

  /// Delivers the message with index `message` to `rank` at time `at`.
  void bring(std::uint32_t message, int rank, Ticks at) {
    ++made_;
    messages_.add({at, message, rank});
  }

  Event take_message() { return messages_.take(); }
  Event take_wake() { return wakes_.take(); }

 private:
  Timeline messages_;
  Timeline wakes_;
  std::uint64_t made_ = 0;
};

}  // namespace regroup
