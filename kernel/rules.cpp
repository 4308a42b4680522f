// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rules.hpp"

#include <fmt/format.h>

namespace regroup {

std::optional<std::string> violation(const GroupState& part, const GroupState& whole) {
  if (!whole.ranks.contains(part.ranks)) {
    return fmt::format("{} forms and cuts {} in two", name_of(whole.ranks), name_of(part.ranks));
  }
  const bool rightmost = part.ranks.hi == whole.ranks.hi;
  if (!rightmost && part.items_left != 0) {
    return fmt::format("{} forms, and {} items of walker {} are lost that {} had left",
                       name_of(whole.ranks), part.items_left, part.walker, name_of(part.ranks));
  }
  if (rightmost && (whole.walker != part.walker || whole.items_left != part.items_left)) {
    return fmt::format("{} takes over {} items of walker {}, but {} left {} of walker {}",
                       name_of(whole.ranks), whole.items_left, whole.walker, name_of(part.ranks),
                       part.items_left, part.walker);
  }
  if (part.ranks.lo != whole.ranks.lo && part.unread != 0) {
    return fmt::format("{} merges with a message unread", name_of(part.ranks));
  }
  return std::nullopt;
}

std::optional<std::string> violation(std::span<const GroupState> parts, const GroupState& whole) {
  int next = whole.ranks.lo;
  for (const GroupState& part : parts) {
    if (part.ranks.lo != next) break;
    if (auto wrong = violation(part, whole)) return wrong;
    next = part.ranks.hi + 1;
  }
  if (next == whole.ranks.hi + 1) return std::nullopt;
  return fmt::format("{} forms, but no group begins at rank {} then", name_of(whole.ranks), next);
}

std::string name_of(RankRange ranks) {
  return ranks.lo == ranks.hi ? fmt::format("group {}", ranks.lo)
                              : fmt::format("group {}-{}", ranks.lo, ranks.hi);
}

}  // namespace regroup
