// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernel/chains/message_pattern.hpp"
#include "kernel/faults.hpp"
#include "kernel/starting_groups.hpp"
#include "regroup/balancer.hpp"
#include "regroup/groups.hpp"
#include "regroup/strategy.hpp"
#include "regroup/workload.hpp"

namespace regroup {

/// The input of an engine: a run with all names resolved.
struct RunInput {
  int ranks = 1;
  StartingGroups groups;
  std::vector<std::int64_t> items;  ///< of the walker of each group; empty: all walkers wait
  Queue queue;                      ///< walkers without a group at the start
  std::shared_ptr<const Balancer> balancer;  ///< every leader gets a clone
  ItemTime item_time;
  std::optional<ItemTime> believed_time;  ///< initial value of forecasts, if different
  std::optional<Strategy> strategy;       ///< empty if the balancer never regroups
  std::uint64_t stream = 1;               ///< of random numbers
  std::int64_t state_bytes = 0;           ///< approximate size of a state; 0: no state
  NodeMap nodes;                          ///< nodes of simulated ranks; detected for real ranks
  int cores = 0;                          ///< Knowledge::cores; detected for real ranks
  std::vector<std::int64_t> chain_items = {};  ///< all items of the chains 0, 1, …
  /// After a loss of ranks: the initial chain of each group, possibly none, which replaces `items`,
  /// and the names of walkers, which are those of the original run.
  std::vector<Chain> chains = {};
  std::optional<WalkerNames> names = {};
  MessagePattern messages = {};    ///< between chains; if any, the queue is divided into lines
  std::vector<Fault> faults = {};  ///< of simulated ranks; unused for real ranks
  double detection_s = 0;  ///< from a loss until other ranks detect it; simulated ranks only
  /// Items between saved states. If a group loses a rank, its chain returns to the last saved
  /// state. 0: states are not saved.
  std::int64_t save_every = 0;
  double save_s = 0;  ///< time for a group to save a state; simulated ranks only

  /// Returns the initial chain of group `i`, counted from the left.
  Chain chain(std::size_t i) const {
    if (!chains.empty()) return chains[i];
    return items.empty() ? Chain{} : Chain{groups[i].lo(), items[i]};
  }

  const WalkerNames& walker_names() const { return names ? *names : groups.names(); }

  const ItemTime& believed() const { return believed_time ? *believed_time : item_time; }

  /// Returns the number of items left of the walkers 0, 1, ….
  std::vector<std::int64_t> all_items() const {
    if (!names) {
      std::vector<std::int64_t> all = items;
      for (const WaitingWalker& task : queue.walkers()) all.push_back(task.items);
      return all;
    }
    std::vector<std::int64_t> all(chain_items.size(), 0);
    const auto of = [&](int walker) -> std::int64_t& {
      return all[static_cast<std::size_t>(names->number(walker))];
    };
    for (const Chain& chain : chains) {
      if (chain.walker != Chain::none) of(chain.walker) = chain.items_left;
    }
    for (const WaitingWalker& task : queue.walkers()) of(task.walker) = task.items;
    return all;
  }

  /// Returns whether all ranks of the run must take part when a group is formed.
  bool parent_collective() const { return strategy && strategy->caller == Caller::parent; }
};

}  // namespace regroup
