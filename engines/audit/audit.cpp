// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of the life of one group and of two consecutive lives, which are parts of the audit. Each
// returns a description of a violation, or nothing.
#include "engines/audit/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "kernel/rules.hpp"

namespace regroup {

/// Whether the times of `life` are finite.
bool is_finite(const GroupLife& life);

/// Checks everything that needs no TimeLaw.
std::optional<std::string> own_violation(const GroupLife& life, bool parks);

/// Checks the times of one group, which are those of its leader or later.
std::optional<std::string> own_violation(const GroupLife& life, const TimeLaw& law);

/// Checks the times of a group and one of the groups that it was formed from.
std::optional<std::string> violation_between(const GroupLife& part, const GroupLife& life,
                                             const TimeLaw& law);

namespace {

std::int64_t done(const GroupLife& life) { return life.items_before - life.items_after; }

}  // namespace

bool is_finite(const GroupLife& life) {
  return std::isfinite(life.formed_s) && std::isfinite(life.busy_until_s) &&
         std::isfinite(life.ended_s);
}

std::optional<std::string> own_violation(const GroupLife& life, bool parks) {
  if (life.ranks.empty()) return fmt::format("{} has no ranks", name_of(life.ranks));
  // A loss may send a chain back to a state that an earlier group saved.
  const bool lost = life.ended == Turn::recover;
  if (life.items_after < 0 || (!lost && life.items_before < life.items_after)) {
    return fmt::format("{} began with {} items of walker {} and ended with {}", name_of(life.ranks),
                       life.items_before, life.walker, life.items_after);
  }
  const bool too_few =
      (lost ? life.executed_max : life.executed_min) < std::max<std::int64_t>(0, done(life)) ||
      life.executed_max < life.executed_min;
  const bool too_many = life.executed_max > (lost ? life.items_before : done(life));
  if (too_few || too_many) {
    return fmt::format("{} did {} items of walker {}, but its members executed {} to {}",
                       name_of(life.ranks), done(life), life.walker, life.executed_min,
                       life.executed_max);
  }
  if (life.ended_s < life.formed_s) {
    return fmt::format("{} ended at {} s, before it formed at {} s", name_of(life.ranks),
                       life.ended_s, life.formed_s);
  }
  const bool may_leave = life.ended == Turn::regroup || lost || (parks && life.ended == Turn::next);
  if (!may_leave && life.items_after != 0) {
    return fmt::format("{} {} with {} items of walker {} left", name_of(life.ranks),
                       life.stopped() ? "stopped" : "took up the next walker", life.items_after,
                       life.walker);
  }
  if (life.began == Turn::next && life.walker == Chain::none) {
    return fmt::format("{} took up the next walker, and has none", name_of(life.ranks));
  }
  return std::nullopt;
}

std::optional<std::string> own_violation(const GroupLife& life, const TimeLaw& law) {
  if (life.began == Turn::start && life.formed_s != 0) {
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

std::optional<std::string> violation_between(const GroupLife& part, const GroupLife& life,
                                             const TimeLaw& law) {
  const bool same_leader = part.ranks.lo() == life.ranks.lo();
  const double apart =
      law.resolution_s +
      (same_leader ? 0 : law.clocks_apart_s + law.clocks_drift * std::abs(part.ended_s));
  if ((law.forms_after_its_parts || same_leader) && life.formed_s < part.ended_s - apart) {
    return fmt::format("{} formed at {} s, before its part {} ended at {} s", name_of(life.ranks),
                       life.formed_s, name_of(part.ranks), part.ended_s);
  }
  // Every member finished the items of the part before it began those of the new group. If the part
  // was divided, its last member may be in another group.
  const double least = law.least_s(life);
  const bool whole = life.ranks.contains(part.ranks);
  const double ready = whole ? std::max(part.ended_s, part.busy_until_s) : part.ended_s;
  if (life.busy_until_s < ready + least - law.resolution_s) {
    return fmt::format("{} did {} items until {} s, which take {} s, but its part {} ended at {} s",
                       name_of(life.ranks), done(life), life.busy_until_s, least,
                       name_of(part.ranks), ready);
  }
  return std::nullopt;
}

namespace {

using Wrong = std::optional<std::string>;

class Audit {
 public:
  Audit(std::span<const GroupLife> lives, const StartingGroups& groups,
        std::span<const std::int64_t> items, const TimeLaw* law, const Queue& queue, bool parks)
      : lives_(lives),
        groups_(groups),
        items_(items),
        law_(law),
        queue_(queue),
        parks_(parks),
        ranks_(groups.ranks()),
        phases_(lives.size(), 0),
        walkers_(static_cast<std::size_t>(ranks_), nobody) {
    if (!queue.empty()) {
      const auto walkers = static_cast<std::size_t>(queue.walkers().back().walker) + 1;
      walkers_.resize(std::max(walkers_.size(), walkers), nobody);
    }
    for (const RankSet& group : groups) {
      for (const RankRange range : group.ranges()) held_[range.lo] = {range.hi, nobody};
    }
  }

  std::optional<Violation> run() {
    std::size_t started = 0;
    for (std::size_t life = 0; life < lives_.size(); ++life) {
      if (Wrong wrong = check(life)) return Violation{life, *wrong};
      if (lives_[life].began == Turn::start) ++started;
    }
    if (started != groups_.size()) {
      return at_the_end(fmt::format("{} of {} groups started", started, groups_.size()));
    }
    if (auto wrong = end_of_phases()) return wrong;
    const bool recovered = !phases_.empty() && std::ranges::max(phases_) > 0;
    for (const WaitingWalker& task : queue_.walkers()) {
      if (task.items == 0 && recovered) continue;  // need not be taken
      if (walkers_[static_cast<std::size_t>(task.walker)] != nobody) continue;
      return at_the_end(fmt::format("walker {} waited, and nobody took it up", task.walker));
    }
    for (const std::size_t life : walkers_) {
      if (life == nobody || lives_[life].items_after == 0) continue;
      return Violation{life, fmt::format("{} left {} items of walker {}, and nobody went on",
                                         name_of(lives_[life].ranks), lives_[life].items_after,
                                         lives_[life].walker)};
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  /// Ranks up to `hi` that are in one group, or left it together.
  struct Part {
    int hi;
    std::size_t life;  // nobody: their group has not started
  };
  using Parts = std::map<int, Part>;  // by their lowest rank

  /// Checks that every recovery was preceded by a loss, and that all groups of the last phase
  /// stopped. Ranks in no group of the last phase are lost, perhaps between two groups.
  std::optional<Violation> end_of_phases() const {
    const int last = lives_.empty() ? 0 : std::ranges::max(phases_);
    std::vector<bool> loses(static_cast<std::size_t>(last) + 1, false);
    for (const auto& [lo, part] : held_) {
      const GroupLife& life = lives_[part.life];
      const int phase = phases_[part.life];
      if (phase < last) {
        loses[static_cast<std::size_t>(phase)] = true;
        if (life.ended != Turn::next) continue;
        return Violation{part.life, fmt::format("{} ended by '{}', and its ranks went nowhere",
                                                name_of(life.ranks), word_of(life.ended))};
      }
      if (!life.stopped()) {
        return Violation{part.life, fmt::format("{} did not stop", name_of(life.ranks))};
      }
    }
    for (int phase = 0; phase < last; ++phase) {
      if (loses[static_cast<std::size_t>(phase)]) continue;
      return at_the_end(fmt::format("recovery {} lost no rank", phase + 1));
    }
    return std::nullopt;
  }

  Violation at_the_end(std::string what) const { return {lives_.size(), std::move(what)}; }

  Wrong check(std::size_t number) {
    const GroupLife& life = lives_[number];
    if (life.ranks.lo() < 0 || life.ranks.hi() >= ranks_) {
      return fmt::format("{} is outside the {} ranks of the run", name_of(life.ranks), ranks_);
    }
    if (law_ != nullptr && !is_finite(life)) {
      return fmt::format("{} has a time that is not a number", name_of(life.ranks));
    }
    if (Wrong wrong = own_violation(life, parks_)) return wrong;
    if (law_ != nullptr) {
      if (Wrong wrong = own_violation(life, *law_)) return wrong;
    }
    Wrong wrong = life.began == Turn::start ? start(number) : take_ranks(number);
    if (!wrong) wrong = take_walker(number);
    return wrong;
  }

  Wrong start(std::size_t number) {
    const GroupLife& life = lives_[number];
    const auto place = std::ranges::lower_bound(groups_, life.ranks.lo(), {}, &RankSet::lo);
    const auto held = held_.find(life.ranks.lo());
    if (place == groups_.end() || *place != life.ranks || held == held_.end() ||
        held->second.life != nobody) {
      return fmt::format("{} is not one of the groups at the start", name_of(life.ranks));
    }
    const bool waits = queue_.find(life.ranks.lo()) != nullptr;
    Chain planned = waits ? Chain{} : Chain{life.ranks.lo(), life.items_before};
    if (!waits && !items_.empty()) {
      planned.items_left = items_[static_cast<std::size_t>(place - groups_.begin())];
    }
    if (const Chain begins{life.walker, life.items_before}; begins != planned) {
      return fmt::format("{} started with {} instead of {}", name_of(life.ranks), name_of(begins),
                         name_of(planned));
    }
    for (const RankRange range : life.ranks.ranges()) held_[range.lo].life = number;
    return std::nullopt;
  }

  /// Takes the ranks of a group from the groups that had them, which must all have ended.
  Wrong take_ranks(std::size_t number) {
    const GroupLife& life = lives_[number];
    phases_[number] = -1;
    for (const RankRange range : life.ranks.ranges()) {
      split_at(range.lo);
      split_at(range.hi + 1);
      const auto first = held_.find(range.lo);
      auto end = first;
      for (; end != held_.end() && end->first <= range.hi; ++end) {
        if (Wrong wrong = take_part(end->second, end->first, number)) return wrong;
      }
      held_.erase(first, end);
      held_[range.lo] = {range.hi, number};
    }
    return std::nullopt;
  }

  Wrong take_part(const Part& taken, int lo, std::size_t number) {
    const GroupLife& life = lives_[number];
    const bool recovers = life.began == Turn::recover;
    if (taken.life == nobody) {
      return fmt::format("{} formed before the group of rank {} began", name_of(life.ranks), lo);
    }
    const GroupLife& part = lives_[taken.life];
    const int phase = phases_[taken.life] + (recovers ? 1 : 0);
    if (phases_[number] >= 0 && phases_[number] != phase) {
      return fmt::format("{} formed of ranks of which some have missed a recovery",
                         name_of(life.ranks));
    }
    phases_[number] = phase;
    if (part.stopped() && !recovers) {
      return fmt::format("{} formed of {}, which had stopped", name_of(life.ranks),
                         name_of(part.ranks));
    }
    if (part.ended != life.began && !(part.stopped() && recovers)) {
      return fmt::format("{} came to be by '{}' of {}, which ended by '{}'", name_of(life.ranks),
                         word_of(life.began), name_of(part.ranks), word_of(part.ended));
    }
    if (life.began == Turn::next && part.ranks != life.ranks) {
      return fmt::format("{} takes up walker {}, but {} had its ranks", name_of(life.ranks),
                         life.walker, name_of(part.ranks));
    }
    if (law_ == nullptr) return std::nullopt;
    return violation_between(part, life, *law_);
  }

  /// Splits a part, if necessary, so that a part begins at `rank`.
  void split_at(int rank) {
    auto after = held_.upper_bound(rank);
    if (after == held_.begin()) return;
    Part& part = std::prev(after)->second;
    if (std::prev(after)->first == rank || part.hi < rank) return;
    held_.emplace_hint(after, rank, part);
    part.hi = rank - 1;
  }

  /// Checks that the walker continues where it was left.
  Wrong take_walker(std::size_t number) {
    const GroupLife& life = lives_[number];
    if (life.walker == Chain::none && life.items_before == 0) return std::nullopt;
    if (life.walker < 0 || life.walker >= static_cast<int>(walkers_.size())) {
      return fmt::format("{} has a walker {}, which there is not", name_of(life.ranks),
                         life.walker);
    }
    std::size_t& last = walkers_[static_cast<std::size_t>(life.walker)];
    Wrong wrong;
    const bool waited = last != nobody && lives_[last].ended == Turn::recover;
    if (last != nobody && life.began == Turn::next && !parks_ && !waited) {
      wrong = fmt::format("{} takes up walker {}, which {} has begun", name_of(life.ranks),
                          life.walker, name_of(lives_[last].ranks));
    } else if (last != nobody) {
      wrong = hand_over(lives_[last], life);
    } else if (life.began != Turn::start) {
      wrong = take_up(life);
    }
    last = number;
    return wrong;
  }

  Wrong take_up(const GroupLife& life) const {
    const WaitingWalker* task = queue_.find(life.walker);
    if (task == nullptr) {
      return fmt::format("{} goes on with walker {}, which nobody began", name_of(life.ranks),
                         life.walker);
    }
    if (task->items == life.items_before) return std::nullopt;
    return fmt::format("{} takes up walker {} with {} items, which has {}", name_of(life.ranks),
                       life.walker, life.items_before, task->items);
  }

  Wrong hand_over(const GroupLife& last, const GroupLife& life) const {
    if (last.items_after != life.items_before) {
      return fmt::format("{} takes over {} items of walker {}, but {} left {}", name_of(life.ranks),
                         life.items_before, life.walker, name_of(last.ranks), last.items_after);
    }
    if (last.stopped()) {
      return fmt::format("{} goes on with walker {}, which {} took along when it stopped",
                         name_of(life.ranks), life.walker, name_of(last.ranks));
    }
    if (law_ == nullptr) return std::nullopt;
    if (law_->clocks_apart_s == 0 || life.ranks.overlaps(last.ranks)) {
      return violation_between(last, life, *law_);
    }
    // No rank waits for another, so a delayed process may record its end late.
    const double done_s = last.formed_s + law_->least_s(last);
    const double apart =
        law_->resolution_s + law_->clocks_apart_s + law_->clocks_drift * std::abs(done_s);
    if (life.formed_s >= done_s - apart) return std::nullopt;
    return fmt::format("{} formed at {} s, before {} had done its items of walker {} at {} s",
                       name_of(life.ranks), life.formed_s, name_of(last.ranks), life.walker,
                       done_s);
  }

  std::span<const GroupLife> lives_;
  const StartingGroups& groups_;
  std::span<const std::int64_t> items_;
  const TimeLaw* law_;
  const Queue& queue_;
  bool parks_;
  int ranks_;
  std::vector<int> phases_;           // by life: number of recoveries before it
  Parts held_;                        // all ranks, with their current or last life
  std::vector<std::size_t> walkers_;  // by walker: its last life
};

}  // namespace

std::optional<Violation> find_violation(std::span<const GroupLife> lives,
                                        const StartingGroups& groups,
                                        std::span<const std::int64_t> items, const TimeLaw* law,
                                        const Queue& queue, bool parks) {
  return Audit(lives, groups, items, law, queue, parks).run();
}

std::optional<std::string> first_violation(std::span<const GroupLife> lives,
                                           const StartingGroups& groups,
                                           std::span<const std::int64_t> items, const TimeLaw* law,
                                           const Queue& queue, bool parks) {
  auto violation = find_violation(lives, groups, items, law, queue, parks);
  if (!violation) return std::nullopt;
  return std::move(violation->what);
}

std::vector<std::int64_t> items_at_start(std::span<const GroupLife> lives) {
  std::map<int, std::int64_t> items;
  for (const GroupLife& life : lives) {
    if (life.walker != Chain::none) items.emplace(life.walker, life.items_before);
  }
  std::vector<std::int64_t> in_order;
  for (const auto& [walker, number] : items) in_order.push_back(number);
  return in_order;
}

}  // namespace regroup
