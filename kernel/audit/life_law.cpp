// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/audit/life_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel/balancer.hpp"
#include "kernel/rules.hpp"

namespace regroup {
namespace {

std::int64_t done(const GroupLife& life) { return life.items_before - life.items_after; }

}  // namespace

bool is_finite(const GroupLife& life) {
  return std::isfinite(life.formed_s) && std::isfinite(life.busy_until_s) &&
         std::isfinite(life.ended_s);
}

std::optional<std::string> own_violation(const GroupLife& life) {
  if (life.ranks.empty()) return fmt::format("{} has no ranks", name_of(life.ranks));
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
  if (life.ended != Turn::regroup && life.items_after != 0) {
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
  // Every member was done with the part before it took its part in the items of the whole; the last
  // one of the part may be elsewhere where the part divided.
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

}  // namespace regroup
