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

/// A run with every name resolved.
struct RunInput {
  int ranks = 1;
  StartingGroups groups;
  std::vector<std::int64_t> items;  ///< of the walker of each of them; empty: all walkers wait
  Queue queue;                      ///< of walkers that no group has at the start
  std::shared_ptr<const Balancer> balancer;  ///< of which every leader gets a clone
  ItemTime item_time;
  std::optional<ItemTime> believed_time;  ///< first guess of forecasts, if different
  std::optional<Strategy> strategy;       ///< nothing where the balancer never regroups
  std::uint64_t stream = 1;               ///< of random numbers
  std::int64_t state_bytes = 0;           ///< of a walker, about; 0: nothing is handed over
  NodeMap nodes;  ///< of ranks whose nodes are simulated; real ones look where they are
  int cores = 0;  ///< Knowledge::cores; real ranks look themselves
  std::vector<std::int64_t> chain_items = {};  ///< of the chains 0, 1, … from their start on
  /// What groups begin with in the rest of a run that lost ranks, instead of `items`: any chains,
  /// or none; and the names of walkers, which stay as they were at the start of the run.
  std::vector<Chain> chains = {};
  std::optional<WalkerNames> names = {};
  MessagePattern messages = {};  ///< between chains; not empty: all walkers of the queue are dealt
  std::vector<Fault> faults = {};  ///< of ranks, where they are simulated; real ones have them
  double detection_s = 0;          ///< from a loss until the others hear of it, likewise
  /// Items between saved states, to which a chain goes back whose group loses a rank; 0: such a
  /// chain has no state.
  std::int64_t save_every = 0;
  double save_s = 0;  ///< that saving one takes a group, where that is simulated

  /// What the group that is `i`th from the left begins with.
  Chain chain(std::size_t i) const {
    if (!chains.empty()) return chains[i];
    return items.empty() ? Chain{} : Chain{groups[i].lo(), items[i]};
  }

  const WalkerNames& walker_names() const { return names ? *names : groups.names(); }

  const ItemTime& believed() const { return believed_time ? *believed_time : item_time; }

  /// Of the walkers 0, 1, …: what each has left.
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

  /// Whether every rank of the run must take part in forming any group.
  bool parent_collective() const { return strategy && strategy->caller == Caller::parent; }
};

}  // namespace regroup
