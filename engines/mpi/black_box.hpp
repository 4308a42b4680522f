// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace regroup {

/// What a rank writes down in memory that it shares with its guard, which outlives it.
class BlackBox {
 public:
  /// In memory that is shared with processes forked later; never freed. Throws std::runtime_error
  /// where there is no memory.
  static BlackBox& create();

  /// Replaces the record, in one step: if the rank dies meanwhile, the one before remains.
  void write(std::span<const std::byte> record);
  std::vector<std::byte> record() const;

  std::atomic<int> rank = -1;                  ///< of the run; -1: it has not begun
  std::atomic<int> ranks = 0;                  ///< of the run
  std::atomic<std::int64_t> started = 0;       ///< the common start, by the steady clock; 0: before
  std::atomic<int> heard = 0;                  ///< of so many losses
  std::atomic<std::int64_t> item_began = 0;    ///< by the steady clock; 0: it is in none
  std::atomic<std::int64_t> longest_item = 0;  ///< in ticks of that clock
  // What the guard does to the rank, by the rank's own request; 0: never.
  std::atomic<double> kill_at_s = 0;       ///< since the common start
  std::atomic<double> stop_at_s = 0;       ///< likewise
  std::atomic<double> item_timeout_s = 0;  ///< it kills a rank that is in an item for longer
  std::atomic<bool> timed_out = false;     ///< it did
  // Since the record was written: of the last group in it.
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
