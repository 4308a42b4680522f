// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "kernel/rules.hpp"

namespace regroup {
namespace {

using Wrong = std::optional<std::string>;

std::int64_t done(const GroupLife& life) { return life.items_before - life.items_after; }

bool is_finite(const GroupLife& life) {
  return std::isfinite(life.formed_s) && std::isfinite(life.busy_until_s) &&
         std::isfinite(life.ended_s);
}

Wrong own_violation(const GroupLife& life) {
  if (life.ranks.hi < life.ranks.lo) return fmt::format("{} has no ranks", name_of(life.ranks));
  if (life.items_after < 0 || life.items_before < life.items_after) {
    return fmt::format("{} began with {} items of walker {} and ended with {}", name_of(life.ranks),
                       life.items_before, life.walker, life.items_after);
  }
  if (life.executed_min != done(life) || life.executed_max != done(life)) {
    return fmt::format("{} did {} items of walker {}, but its members executed {} to {}",
                       name_of(life.ranks), done(life), life.walker, life.executed_min,
                       life.executed_max);
  }
  if (life.ended_s < life.formed_s) {
    return fmt::format("{} ended at {} s, before it formed at {} s", name_of(life.ranks),
                       life.ended_s, life.formed_s);
  }
  if (life.stopped && life.items_after != 0) {
    return fmt::format("{} stopped with {} items of walker {} left", name_of(life.ranks),
                       life.items_after, life.walker);
  }
  return std::nullopt;
}

/// The times of one group, all on the clock of its leader or later.
Wrong own_violation(const GroupLife& life, const TimeLaw& law) {
  if (!life.regrouped && life.formed_s != 0) {
    return fmt::format("{} began at {} s instead of 0", name_of(life.ranks), life.formed_s);
  }
  if (life.busy_until_s < life.formed_s) {
    return fmt::format("{} was busy until {} s, before it formed at {} s", name_of(life.ranks),
                       life.busy_until_s, life.formed_s);
  }
  const double least = law.least_s(life);
  const double least_end = life.formed_s + least - law.resolution_s;
  for (const double end : {life.busy_until_s, life.ended_s}) {
    if (end >= least_end) continue;
    return fmt::format("{} formed at {} s and did {} items in {} s, which take {} s",
                       name_of(life.ranks), life.formed_s, done(life), end - life.formed_s, least);
  }
  return std::nullopt;
}

/// The times of a group and one of the parts that it formed of.
Wrong violation_between(const GroupLife& part, const GroupLife& life, const TimeLaw& law) {
  const bool same_leader = part.ranks.lo == life.ranks.lo;
  const double apart =
      law.resolution_s +
      (same_leader ? 0 : law.clocks_apart_s + law.clocks_drift * std::abs(part.ended_s));
  if ((law.forms_after_its_parts || same_leader) && life.formed_s < part.ended_s - apart) {
    return fmt::format("{} formed at {} s, before its part {} ended at {} s", name_of(life.ranks),
                       life.formed_s, name_of(part.ranks), part.ended_s);
  }
  // Every member was done with the part before it took its part in the items of the whole.
  const double least = law.least_s(life);
  const double ready = std::max(part.ended_s, part.busy_until_s);
  if (life.busy_until_s < ready + least - law.resolution_s) {
    return fmt::format("{} did {} items until {} s, which take {} s, but its part {} ended at {} s",
                       name_of(life.ranks), done(life), life.busy_until_s, least,
                       name_of(part.ranks), ready);
  }
  return std::nullopt;
}

class Audit {
 public:
  Audit(std::span<const GroupLife> lives, std::span<const RankRange> groups,
        std::span<const std::int64_t> items, const TimeLaw* law)
      : lives_(lives),
        groups_(groups),
        items_(items),
        law_(law),
        ranks_(groups.empty() ? 0 : groups.back().hi + 1),
        by_lowest_(static_cast<std::size_t>(ranks_), nullptr) {}

  std::optional<Violation> run() {
    std::size_t started = 0;
    for (const GroupLife* life : in_order()) {
      if (Wrong wrong = check(*life)) {
        return Violation{static_cast<std::size_t>(life - lives_.data()), *wrong};
      }
      if (!life->regrouped) ++started;
    }
    if (started != groups_.size()) {
      return at_the_end(fmt::format("{} of {} groups started", started, groups_.size()));
    }
    for (int rank = 0; rank < ranks_;) {
      const GroupLife* life = at(rank);
      if (life == nullptr) {
        return at_the_end(fmt::format("rank {} belongs to no group at the end", rank));
      }
      if (!life->stopped) {
        return Violation{static_cast<std::size_t>(life - lives_.data()),
                         fmt::format("{} did not stop", name_of(life->ranks))};
      }
      rank = life->ranks.hi + 1;
    }
    return std::nullopt;
  }

 private:
  std::vector<const GroupLife*> in_order() const {
    std::vector<const GroupLife*> order;
    order.reserve(lives_.size());
    for (const GroupLife& life : lives_) order.push_back(&life);
    const auto key = [](const GroupLife* life) {
      return std::tuple(life->regrouped, std::int64_t{life->ranks.hi} - life->ranks.lo,
                        std::isnan(life->formed_s) ? 0 : life->formed_s);
    };
    std::stable_sort(order.begin(), order.end(),
                     [key](const GroupLife* a, const GroupLife* b) { return key(a) < key(b); });
    return order;
  }

  Violation at_the_end(std::string what) const { return {lives_.size(), std::move(what)}; }

  /// The group of the moment whose lowest rank is `lowest`.
  const GroupLife*& at(int lowest) { return by_lowest_[static_cast<std::size_t>(lowest)]; }

  Wrong check(const GroupLife& life) {
    if (life.ranks.lo < 0 || life.ranks.hi >= ranks_) {
      return fmt::format("{} is outside the {} ranks of the run", name_of(life.ranks), ranks_);
    }
    if (law_ != nullptr && !is_finite(life)) {
      return fmt::format("{} has a time that is no number", name_of(life.ranks));
    }
    if (Wrong wrong = own_violation(life)) return wrong;
    if (law_ != nullptr) {
      if (Wrong wrong = own_violation(life, *law_)) return wrong;
    }
    return life.regrouped ? merge(life) : start(life);
  }

  Wrong start(const GroupLife& life) {
    const auto place = std::ranges::lower_bound(groups_, life.ranks.lo, {}, &RankRange::lo);
    if (place == groups_.end() || *place != life.ranks || at(life.ranks.lo) != nullptr) {
      return fmt::format("{} is not one of the groups at the start", name_of(life.ranks));
    }
    const std::int64_t planned = items_.empty()
                                     ? life.items_before
                                     : items_[static_cast<std::size_t>(place - groups_.begin())];
    if (life.walker != life.ranks.lo || life.items_before != planned) {
      return fmt::format("{} started with {} items of walker {} instead of {} of walker {}",
                         name_of(life.ranks), life.items_before, life.walker, planned,
                         life.ranks.lo);
    }
    at(life.ranks.lo) = &life;
    return std::nullopt;
  }

  Wrong merge(const GroupLife& life) {
    const GroupState whole{life.ranks, life.walker, life.items_before};
    for (int rank = life.ranks.lo; rank <= life.ranks.hi;) {
      const GroupLife* part = std::exchange(at(rank), nullptr);
      if (part == nullptr)
        return fmt::format("{} formed, but no group began at rank {} then", name_of(life.ranks),
                           rank);
      if (Wrong wrong = violation({part->ranks, part->walker, part->items_after}, whole))
        return wrong;
      if (part->stopped)
        return fmt::format("{} formed of {}, which had stopped", name_of(life.ranks),
                           name_of(part->ranks));
      if (law_ != nullptr) {
        if (Wrong wrong = violation_between(*part, life, *law_)) return wrong;
      }
      rank = part->ranks.hi + 1;
    }
    at(life.ranks.lo) = &life;
    return std::nullopt;
  }

  std::span<const GroupLife> lives_;
  std::span<const RankRange> groups_;
  std::span<const std::int64_t> items_;
  const TimeLaw* law_;
  int ranks_;
  std::vector<const GroupLife*> by_lowest_;
};

}  // namespace

std::optional<Violation> find_violation(std::span<const GroupLife> lives,
                                        std::span<const RankRange> groups,
                                        std::span<const std::int64_t> items, const TimeLaw* law) {
  return Audit(lives, groups, items, law).run();
}

std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           std::span<const RankRange> groups,
                                           std::span<const std::int64_t> items,
                                           const TimeLaw* law) {
  auto violation = find_violation(lives, groups, items, law);
  if (!violation) return std::nullopt;
  return std::move(violation->what);
}

}  // namespace regroup
