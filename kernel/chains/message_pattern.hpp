// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "regroup/walker.hpp"

namespace regroup {

/// What one chain tells another.
struct ChainMessage {
  int from = 0;
  std::int64_t item = 0;  ///< at the end of which `from` tells it
  int to = 0;
  std::int64_t before = 0;  ///< the item of `to` that needs it
  friend bool operator==(const ChainMessage&, const ChainMessage&) = default;
};

/// All messages between the chains of a run, by what their items need (Walker::needs).
class MessagePattern {
 public:
  using Needs = std::function<std::vector<Need>(int chain, std::int64_t item)>;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  /// Nobody needs anything.
  MessagePattern() = default;
  /// Of the chains 0, 1, … with so many items. Throws std::invalid_argument where an item needs a
  /// message of a chain or item that does not exist, where two items need the same message, and
  /// where chains would wait for each other for ever.
  MessagePattern(std::span<const std::int64_t> items, const Needs& needs);

  bool empty() const { return by_receiver_.empty(); }

  /// The messages that item `before` of chain `to` needs, in the order of Walker::needs.
  std::span<const ChainMessage> needed(int to, std::int64_t before) const;
  /// The messages that chain `from` tells at the end of its item `item`.
  std::span<const ChainMessage> told(int from, std::int64_t item) const;

  /// The first item from `item` on that needs messages, or that ends with some; never: none.
  std::int64_t next_needing(int chain, std::int64_t item) const;
  std::int64_t next_telling(int chain, std::int64_t item) const;

 private:
  void check_order(std::span<const std::int64_t> items) const;

  std::vector<ChainMessage> by_receiver_;  // by `to` and `before`
  std::vector<ChainMessage> by_sender_;    // by `from` and `item`
};

}  // namespace regroup
