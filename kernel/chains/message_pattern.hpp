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

/// Identifies a message from one chain to another.
struct ChainMessage {
  int from = 0;
  std::int64_t item = 0;  ///< the item of `from` after which it is sent
  int to = 0;
  std::int64_t before = 0;  ///< the item of `to` that needs it
  friend bool operator==(const ChainMessage&, const ChainMessage&) = default;
};

/// All messages between the chains of a run, as defined by Walker::needs.
class MessagePattern {
 public:
  using Needs = std::function<std::vector<Need>(int chain, std::int64_t item)>;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  MessagePattern() = default;
  /// `items`: number of items of the chains 0, 1, …. Throws std::invalid_argument if an item needs
  /// a message of a chain or item that does not exist, if two items of a chain need the same
  /// message, or if chains would deadlock.
  MessagePattern(std::span<const std::int64_t> items, const Needs& needs);

  bool empty() const { return by_receiver_.empty(); }

  /// Returns the messages that item `before` of chain `to` needs, in the order of Walker::needs.
  std::span<const ChainMessage> needed(int to, std::int64_t before) const;
  /// Returns the messages that chain `from` sends after its item `item`.
  std::span<const ChainMessage> told(int from, std::int64_t item) const;

  /// Return the first item from `item` on that needs or sends messages; `never` if there is none.
  std::int64_t next_needing(int chain, std::int64_t item) const;
  std::int64_t next_telling(int chain, std::int64_t item) const;

 private:
  void check_order(std::span<const std::int64_t> items) const;

  std::vector<ChainMessage> by_receiver_;  // sorted by `to` and `before`
  std::vector<ChainMessage> by_sender_;    // sorted by `from` and `item`
};

}  // namespace regroup
