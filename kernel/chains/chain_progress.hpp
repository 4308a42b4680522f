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

/// The progress of chains in a run that exchanges messages: `items`: of the chains 0, 1, …, which
/// outlive it as `pattern` does.
class ChainProgress {
 public:
  ChainProgress(const MessagePattern& pattern, WalkerNames names,
                std::span<const std::int64_t> items)
      : pattern_(pattern), names_(std::move(names)), items_(items) {}

  const MessagePattern& pattern() const { return pattern_; }
  int number(const Chain& chain) const { return names_.number(chain.walker); }
  /// The item that comes next.
  std::int64_t item(const Chain& chain) const {
    return items_[static_cast<std::size_t>(number(chain))] - chain.items_left;
  }

  /// What its next item needs, and what its last item tells.
  std::span<const ChainMessage> needed(const Chain& chain) const {
    return pattern_.needed(number(chain), item(chain));
  }
  std::span<const ChainMessage> told(const Chain& chain) const {
    return pattern_.told(number(chain), item(chain) - 1);
  }

  /// How many of at most `items` items it can execute before it tells or needs something.
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

/// Which messages have arrived, where nobody looks into them.
class Arrivals {
 public:
  void add(const ChainMessage& message) { ++arrived_[{message.to, message.before}]; }

  /// Whether all messages are there that the next item of `chain` needs.
  bool is_ready(const Chain& chain, const ChainProgress& progress) const {
    const auto needed = progress.needed(chain);
    if (needed.empty()) return true;
    const auto found = arrived_.find({needed.front().to, needed.front().before});
    return found != arrived_.end() && found->second == needed.size();
  }

 private:
  std::map<std::pair<int, std::int64_t>, std::size_t> arrived_;  // by receiver and its item
};

}  // namespace regroup
