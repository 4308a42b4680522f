// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace regroup {

/// The record of a rank, in memory that it shares with its guard, which outlives it.
class BlackBox {
 public:
  /// Creates a black box in memory that is shared with processes forked later; never freed. Throws
  /// std::runtime_error if there is no memory.
  static BlackBox& create();

  /// Replaces the record in one step: if the rank dies meanwhile, the previous one remains.
  void write(std::span<const std::byte> record);
  std::vector<std::byte> record() const;

  std::atomic<int> rank = -1;                  ///< of the run; -1: it has not begun
  std::atomic<int> ranks = 0;                  ///< of the run
  std::atomic<std::int64_t> started = 0;       ///< the common start, by the steady clock; 0: before
  std::atomic<int> heard = 0;                  ///< number of losses that the rank has heard of
  std::atomic<std::int64_t> item_began = 0;    ///< by the steady clock; 0: not in an item
  std::atomic<std::int64_t> longest_item = 0;  ///< in ticks of that clock
  // Actions of the guard against the rank, which the rank requests; 0: never.
  std::atomic<double> kill_at_s = 0;       ///< since the common start
  std::atomic<double> stop_at_s = 0;       ///< likewise
  std::atomic<double> item_timeout_s = 0;  ///< the guard kills the rank if an item takes longer
  std::atomic<bool> timed_out = false;     ///< whether it has done so
  // Progress in the last group of the record since the record was written.
  std::atomic<std::int64_t> executed = 0;
  std::atomic<double> busy_until_s = 0;

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 26;

  struct Half {
    std::atomic<std::uint64_t> bytes = 0;
    std::byte content[capacity];
  };

  BlackBox() = default;

  std::atomic<int> newest_ = 0;
  Half halves_[2];
};

}  // namespace regroup
