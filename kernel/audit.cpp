// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace regroup {
namespace {

std::string name(RankRange ranks) { return fmt::format("group {}-{}", ranks.lo, ranks.hi); }

std::optional<std::string> own_violation(const GroupLife& life) {
  const std::int64_t done = life.items_before - life.items_after;
  if (life.ranks.size() < 1) return fmt::format("{} has no ranks", name(life.ranks));
  if (life.items_after < 0 || done < 0) {
    return fmt::format("{} began with {} items of walker {} and ended with {}", name(life.ranks),
                       life.items_before, life.walker, life.items_after);
  }
  if (life.executed_min != done || life.executed_max != done) {
    return fmt::format("{} did {} items of walker {}, but its members executed {} to {}",
                       name(life.ranks), done, life.walker, life.executed_min, life.executed_max);
  }
  if (life.ended_s < life.formed_s) {
    return fmt::format("{} ended at {} s, before it formed at {} s", name(life.ranks), life.ended_s,
                       life.formed_s);
  }
  if (life.stopped && life.items_after != 0) {
    return fmt::format("{} stopped with {} items of walker {} left", name(life.ranks),
                       life.items_after, life.walker);
  }
  return std::nullopt;
}

/// The groups of the moment, found by their lowest rank.
class Partition {
 public:
  explicit Partition(int ranks) : by_lowest_(static_cast<std::size_t>(ranks), nullptr) {}

  const GroupLife* at(int lowest) const {
    return lowest < static_cast<int>(by_lowest_.size())
               ? by_lowest_[static_cast<std::size_t>(lowest)]
               : nullptr;
  }
  void put(const GroupLife& life) { by_lowest_[static_cast<std::size_t>(life.ranks.lo)] = &life; }
  void remove(const GroupLife& life) {
    by_lowest_[static_cast<std::size_t>(life.ranks.lo)] = nullptr;
  }

 private:
  std::vector<const GroupLife*> by_lowest_;
};

std::optional<std::string> merge(Partition& partition, const GroupLife& life) {
  const GroupLife* rightmost = nullptr;
  for (int rank = life.ranks.lo; rank <= life.ranks.hi;) {
    const GroupLife* part = partition.at(rank);
    if (part == nullptr) {
      return fmt::format("{} formed, but no group began at rank {} then", name(life.ranks), rank);
    }
    if (!life.ranks.contains(part->ranks)) {
      return fmt::format("{} formed and cut {} in two", name(life.ranks), name(part->ranks));
    }
    if (part->stopped) {
      return fmt::format("{} formed of {}, which had stopped", name(life.ranks), name(part->ranks));
    }
    if (rightmost != nullptr && rightmost->items_after != 0) {
      return fmt::format(
          "{} formed while {}, not its rightmost part, had {} items of walker {} left",
          name(life.ranks), name(rightmost->ranks), rightmost->items_after, rightmost->walker);
    }
    rightmost = part;
    rank = part->ranks.hi + 1;
    partition.remove(*part);
  }
  if (life.walker != rightmost->walker || life.items_before != rightmost->items_after) {
    return fmt::format("{} took over {} items of walker {}, but {} left {} items of walker {}",
                       name(life.ranks), life.items_before, life.walker, name(rightmost->ranks),
                       rightmost->items_after, rightmost->walker);
  }
  partition.put(life);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           std::span<const RankRange> groups,
                                           std::span<const std::int64_t> items) {
  std::vector<const GroupLife*> order;
  order.reserve(lives.size());
  for (const GroupLife& life : lives) order.push_back(&life);
  std::stable_sort(order.begin(), order.end(), [](const GroupLife* a, const GroupLife* b) {
    return std::pair(a->regrouped, a->ranks.size()) < std::pair(b->regrouped, b->ranks.size());
  });

  const int ranks = groups.empty() ? 0 : groups.back().hi + 1;
  Partition partition(ranks);
  std::size_t started = 0;
  for (const GroupLife* life : order) {
    if (life->ranks.lo < 0 || life->ranks.hi >= ranks) {
      return fmt::format("{} is outside the {} ranks of the run", name(life->ranks), ranks);
    }
    if (auto wrong = own_violation(*life)) return wrong;
    if (life->regrouped) {
      if (auto wrong = merge(partition, *life)) return wrong;
      continue;
    }
    const auto place = std::ranges::lower_bound(groups, life->ranks.lo, {}, &RankRange::lo);
    if (place == groups.end() || *place != life->ranks || partition.at(life->ranks.lo) != nullptr) {
      return fmt::format("{} is not one of the groups at the start", name(life->ranks));
    }
    const std::int64_t planned = items[static_cast<std::size_t>(place - groups.begin())];
    if (life->walker != life->ranks.lo || life->items_before != planned) {
      return fmt::format("{} started with {} items of walker {} instead of {} of walker {}",
                         name(life->ranks), life->items_before, life->walker, planned,
                         life->ranks.lo);
    }
    partition.put(*life);
    ++started;
  }
  if (started != groups.size()) {
    return fmt::format("{} of {} groups started", started, groups.size());
  }
  for (int rank = 0; rank < ranks;) {
    const GroupLife* life = partition.at(rank);
    if (life == nullptr) return fmt::format("rank {} belongs to no group at the end", rank);
    if (!life->stopped) return fmt::format("{} did not stop", name(life->ranks));
    rank = life->ranks.hi + 1;
  }
  return std::nullopt;
}

}  // namespace regroup
