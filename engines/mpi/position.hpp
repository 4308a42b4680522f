// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace regroup {

/// The progress of a rank, which another thread may read at any moment. Each member is consistent
/// only by itself.
struct Position {
  using Steady = std::chrono::steady_clock;

  enum class Doing : std::uint8_t {
    init,
    set_up,
    item,
    order,
    letter,
    exchange,
    forming,
    state,
    attending,
    ending
  };

  std::atomic<Doing> doing = Doing::init;
  std::atomic<Steady::rep> since = 0;
  std::atomic<int> rank = -1;
  std::atomic<int> leader = -1;  ///< of its group
  std::atomic<int> chain = -1;   ///< -1: its group has none
  std::atomic<std::int64_t> items_left = 0;
  std::atomic<Steady::rep> started = 0;  ///< the common start; 0 before

  void enter(Doing what) {
    doing.store(what, std::memory_order_relaxed);
    since.store(now(), std::memory_order_relaxed);
  }

  /// The clock of the times above.
  static Steady::rep now() { return Steady::now().time_since_epoch().count(); }

  const char* words() const {
    constexpr std::array all{"in MPI_Init",
                             "setting up",
                             "in an item",
                             "waiting for an order of its leader",
                             "waiting for messages of other groups",
                             "exchanging loads with all groups",
                             "forming a communicator",
                             "waiting for the state of its chain",
                             "taking part in forming communicators of others",
                             "waiting for the other groups to end"};
    return all.at(static_cast<std::size_t>(doing.load()));
  }
};

}  // namespace regroup
