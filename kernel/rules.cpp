// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace regroup {

std::vector<Group> Balancer::plan(std::span<const Group> groups, const Forecast&) const {
  return {groups.begin(), groups.end()};
}

std::string_view Balancer::word(std::int32_t) const { return "message"; }

namespace {

using GroupList = std::span<const Group>;

std::string names_of(GroupList groups) {
  if (groups.empty()) return "nobody";
  std::vector<std::string> names;
  for (const Group& group : groups.first(std::min<std::size_t>(groups.size(), 4))) {
    names.push_back(name_of(group.ranks));
  }
  if (groups.size() > names.size()) names.push_back("…");
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns the ranks of all `groups`; std::nullopt if two groups share a rank.
std::optional<RankSet> ranks_of(GroupList groups) {
  if (groups.size() == 1) return groups.front().ranks;
  std::vector<RankRange> ranges;
  std::int64_t size = 0;
  for (const Group& group : groups) {
    ranges.insert(ranges.end(), group.ranks.ranges().begin(), group.ranks.ranges().end());
    size += group.ranks.size();
  }
  RankSet all = RankSet::of(std::move(ranges));
  if (all.size() != size) return std::nullopt;
  return all;
}

std::vector<Chain> chains_of(GroupList groups) {
  std::vector<Chain> chains;
  for (const Group& group : groups) {
    if (group.chain.walker != Chain::none || group.chain.items_left != 0) {
      chains.push_back(group.chain);
    }
  }
  std::ranges::sort(chains, {}, [](const Chain& c) { return std::pair(c.walker, c.items_left); });
  return chains;
}

std::optional<std::string> violation_of_chains(GroupList before, GroupList after,
                                               const StillWaiting& waiting,
                                               std::optional<std::span<const Chain>> parked) {
  const std::vector<Chain> old = chains_of(before);
  const std::vector<Chain> now = chains_of(after);
  const auto twice = std::ranges::adjacent_find(now, {}, &Chain::walker);
  if (twice != now.end()) {
    return fmt::format("{} form, and walker {} is in two of them", names_of(after), twice->walker);
  }
  for (const Chain& chain : now) {
    const auto source = std::ranges::lower_bound(old, chain.walker, {}, &Chain::walker);
    if (source != old.end() && *source == chain) continue;
    if (waiting.has(chain.walker, chain.items_left)) continue;
    if (parked && std::ranges::find(*parked, chain) != parked->end()) continue;
    const auto group = std::ranges::find(after, chain, &Group::chain);
    if (source == old.end() || source->walker != chain.walker) {
      return fmt::format("{} takes over {}, which none of {} has", name_of(group->ranks),
                         name_of(chain), names_of(before));
    }
    return fmt::format("{} takes over {}, but there are {}", name_of(group->ranks), name_of(chain),
                       name_of(*source));
  }
  for (const Group& part : before) {
    if (part.chain.items_left == 0 || parked) continue;
    if (std::ranges::binary_search(now, part.chain.walker, {}, &Chain::walker)) continue;
    return fmt::format("{} forms, and {} are lost that {} had left", names_of(after),
                       name_of(part.chain), name_of(part.ranks));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> violation(GroupList before, GroupList after, const StillWaiting& waiting,
                                     std::optional<std::span<const Chain>> parked) {
  for (const Group& group : after) {
    if (group.ranks.empty()) return "a group of nobody forms";
  }
  const auto old = ranks_of(before);
  const auto now = ranks_of(after);
  if (!now) return fmt::format("{} form, and have a rank in common", names_of(after));
  if (!old || *old != *now) {
    return fmt::format("{} become {}, which are other ranks", names_of(before), names_of(after));
  }
  return violation_of_chains(before, after, waiting, parked);
}

std::optional<std::string> violation(const Group& part, GroupList after, bool may_park) {
  const auto now = ranks_of(after);
  if (!now) return fmt::format("{} form, and have a rank in common", names_of(after));
  if (!now->contains(part.ranks)) {
    return fmt::format("{} becomes {}, and some of its ranks are lost", name_of(part.ranks),
                       names_of(after));
  }
  if (part.chain.items_left == 0) return std::nullopt;
  const auto carried = [&](const Group& group) { return group.chain == part.chain; };
  const auto number = std::ranges::count_if(after, carried);
  if (number == 1) return std::nullopt;
  if (number == 0 && may_park) return std::nullopt;
  if (number > 1) {
    return fmt::format("{} form, and walker {} is in two of them", names_of(after),
                       part.chain.walker);
  }
  return fmt::format("{} forms, and {} are lost that {} had left", names_of(after),
                     name_of(part.chain), name_of(part.ranks));
}

Change change_of(GroupList present, GroupList planned, const StillWaiting& waiting) {
  Change change;
  const auto same = [](GroupList groups, const Group& group) {
    const auto other = std::ranges::lower_bound(groups, group.leader(), {}, &Group::leader);
    return other != groups.end() && other->ranks == group.ranks && other->chain == group.chain;
  };
  std::vector<Group> sorted(planned.begin(), planned.end());
  std::ranges::sort(sorted, {}, &Group::leader);
  for (const Group& group : sorted) {
    (same(present, group) ? change.staying : change.after).push_back(group);
  }
  std::ranges::copy_if(present, std::back_inserter(change.before),
                       [&](const Group& group) { return !same(sorted, group); });
  // Groups that stay conserve their ranks and chains, unless the plan contains one of them twice.
  const bool once = change.staying.size() + change.before.size() == present.size();
  if (!once || violation(change.before, change.after, waiting)) {
    change.violation = violation(present, planned, waiting);
  }
  return change;
}

std::string name_of(const RankSet& ranks) { return "group " + text_of(ranks); }

std::string name_of(const Chain& chain) {
  if (chain == Chain{}) return "no chain";
  return fmt::format("{} items of walker {}", chain.items_left, chain.walker);
}

}  // namespace regroup
