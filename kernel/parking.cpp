// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/parking.hpp"

#include <algorithm>
#include <utility>

namespace regroup {

bool Parking::has(const Chain& chain) const {
  return std::ranges::find(chains, chain) != chains.end();
}

namespace {

void add(std::vector<Chain>& chains, const Chain& chain) {
  chains.insert(std::ranges::lower_bound(chains, chain.walker, {}, &Chain::walker), chain);
}

}  // namespace

void Parking::regroup(const Group& before, std::span<const Group> after, const Queue& queue) {
  bool goes_on = before.chain.items_left == 0;
  for (const Group& group : after) {
    goes_on = goes_on || group.chain == before.chain;
    std::erase(chains, group.chain);
    const WaitingWalker* next = queue.after(latest);
    if (next != nullptr && group.chain.walker == next->walker) latest = next->walker;
  }
  if (!goes_on) add(chains, before.chain);
}

void Parking::join(const Parking& other, const Queue& queue) {
  for (const Chain& chain : other.chains) add(chains, chain);
  if (queue.after(latest) == nullptr) latest = other.latest;
}

std::optional<Chain> next_chain(const Group& group, const Parking& parking, const Queue& queue,
                                const std::function<bool(const Chain&)>& is_ready) {
  const bool ended = group.chain.items_left == 0;
  if (!ended && is_ready(group.chain)) return std::nullopt;
  const Chain* most = nullptr;
  bool most_is_ready = false;
  for (const Chain& chain : parking.chains) {
    const bool ready = is_ready(chain);
    if (most == nullptr ||
        std::pair(ready, chain.items_left) > std::pair(most_is_ready, most->items_left)) {
      most = &chain;
      most_is_ready = ready;
    }
  }
  if (most_is_ready) return *most;
  if (const WaitingWalker* next = queue.after(parking.latest)) {
    return Chain{next->walker, next->items};
  }
  if (ended && most != nullptr) return *most;
  return std::nullopt;
}

}  // namespace regroup
