// SPDX-License-Identifier: BSD-3-Clause
//
// What is to happen in virtual time.
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
  std::uint32_t what;  // message: its index; wake: the order of the leader when it was made, as
                       // others are stale
  int rank;            // to which it happens
};

/// Events by their time; those with equal times in the order in which they were added.
///
/// A radix heap: an event is in the bucket of the highest bit in which its time differs from that
/// of the event taken last. When the first bucket, whose events have that time, is empty, the next
/// one that is not is divided among those before it.
class Timeline {
 public:
  bool empty() const { return used_ == 0; }
  /// The time of the next; last_tick if there is none.
  Ticks next_at() const { return empty() ? last_tick : next().least; }

  /// Not before the one taken last.
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
    Ticks least = last_tick;  // time of one of them
  };

  void clear(Bucket& bucket) {
    bucket.events.clear();
    bucket.least = last_tick;
    used_ &= ~(std::uint64_t{1} << (&bucket - buckets_.data()));
  }

  const Bucket& next() const { return buckets_[static_cast<std::size_t>(std::countr_zero(used_))]; }
  Bucket& next() { return buckets_[static_cast<std::size_t>(std::countr_zero(used_))]; }

  std::array<Bucket, 64> buckets_;  // times are not negative
  std::uint64_t used_ = 0;          // bits of the buckets that are not empty
  Ticks taken_at_ = 0;
};

/// Messages and wakes; at equal times, messages come first.
class Events {
 public:
  bool empty() const { return messages_.empty() && wakes_.empty(); }
  /// When the next happens; last_tick if none does.
  Ticks next_at() const { return std::min(messages_.next_at(), wakes_.next_at()); }
  bool message_is_next() const {
    return !messages_.empty() && messages_.next_at() <= wakes_.next_at();
  }
  /// How many there ever were.
  std::uint64_t made() const { return made_; }

  /// Wakes the leader `rank`, unless it has another order by then.
  void wake(int rank, std::uint32_t order, Ticks at) {
    ++made_;
    wakes_.add({at, order, rank});
  }

  /// Brings the message with that index to `rank`.
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
