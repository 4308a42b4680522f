// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "kernel/chains/message_pattern.hpp"
#include "kernel/starting_groups.hpp"
#include "regroup/balancer.hpp"

namespace regroup {

/// The progress of chains that exchange messages. `items`: number of items of the chains 0, 1, ….
/// `pattern` and `items` must outlive the object.
class ChainProgress {
 public:
  ChainProgress(const MessagePattern& pattern, WalkerNames names,
                std::span<const std::int64_t> items)
      : pattern_(pattern), names_(std::move(names)), items_(items) {}

  const MessagePattern& pattern() const { return pattern_; }
  int number(const Chain& chain) const { return names_.number(chain.walker); }
  std::int64_t item(const Chain& chain) const {
    return items_[static_cast<std::size_t>(number(chain))] - chain.items_left;
  }

  /// Return the messages that the next item needs, and those sent after the last item.
  std::span<const ChainMessage> needed(const Chain& chain) const {
    return pattern_.needed(number(chain), item(chain));
  }
  std::span<const ChainMessage> told(const Chain& chain) const {
    return pattern_.told(number(chain), item(chain) - 1);
  }

  /// Returns how many of the next `items` items can be executed without a pause for messages.
  std::int64_t at_once(const Chain& chain, std::int64_t items) const {
    const std::int64_t next = item(chain);
    const std::int64_t telling = pattern_.next_telling(number(chain), next);
    const std::int64_t needing = pattern_.next_needing(number(chain), next + 1);
    if (telling != MessagePattern::never) items = std::min(items, telling + 1 - next);
    return std::min(items, needing - next);
  }

 private:
  const MessagePattern& pattern_;
  WalkerNames names_;
  std::span<const std::int64_t> items_;
};

/// The messages that have arrived, without their contents.
class Arrivals {
 public:
  void add(const ChainMessage& message) { ++arrived_[{message.to, message.before}]; }

  /// Returns whether all messages that the next item of `chain` needs have arrived.
  bool is_ready(const Chain& chain, const ChainProgress& progress) const {
    const auto needed = progress.needed(chain);
    if (needed.empty()) return true;
    const auto found = arrived_.find({needed.front().to, needed.front().before});
    return found != arrived_.end() && found->second == needed.size();
  }

 private:
  std::map<std::pair<int, std::int64_t>, std::size_t> arrived_;  // number by receiver and item
};

}  // namespace regroup
