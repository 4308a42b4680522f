// SPDX-License-Identifier: BSD-3-Clause
//
// Janus Quicksort over any strategy that forms ranges of ranks: see janus_sort.hpp.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "regroup/communicator.hpp"
#include "regroup/groups.hpp"
#include "sorting/janus_sort.hpp"

namespace regroup::sorting {

/// Communicators of a strategy for a sort. Where only members call, they are formed of ranks of the
/// world; where all ranks of a parent do, of those of the group that is divided.
class StrategyLinks {
 public:
  /// `local`: the strategy makes range communicators.
  StrategyLinks(Site& world, MakeCommunicator make, Caller caller, bool local)
      : world_(world), make_(make), caller_(caller), local_(local) {}

  Link all() const { return local_ ? Link(world_.all()) : Link(world_.comm()); }

  std::optional<Link> first(int ranks) {
    const bool joins = world_.rank() < ranks;
    if (!joins && caller_ == Caller::group) return std::nullopt;
    GroupComm made = form(world_, joins ? Members(RankRange{0, ranks - 1}) : Members(), 0);
    if (!joins) return std::nullopt;
    return Link(std::move(made), nullptr);
  }

  PartLinks parts(const Division& division, int rank) {
    return caller_ == Caller::group ? parts_by_members(division, rank)
                                    : parts_by_all(division, rank);
  }

 private:
  static bool holds(const std::optional<RankRange>& ranks, int rank) {
    return ranks && ranks->lo <= rank && rank <= ranks->hi;
  }

  GroupComm form(Site& parent, const Members& members, int tag) {
    GroupComm made;
    world_.waiter().blocking([&] { made = make_(parent, members, tag); });
    return made;
  }

  /// The rank in both parts makes the left one first: see Sorter.
  PartLinks parts_by_members(const Division& division, int rank) {
    PartLinks links;
    for (const std::size_t part : {0, 1}) {
      if (!holds(division.parts[part], rank)) continue;
      const int tag = (2 * division.level + static_cast<int>(part)) % range::Parent::max_tag;
      links[part].emplace(form(world_, Members(*division.parts[part]), tag), nullptr);
    }
    return links;
  }

  /// All ranks of the group call once for both parts, unless a rank is in both: then once for each.
  PartLinks parts_by_all(const Division& division, int rank) {
    PartLinks links;
    const auto& [left, right] = division.parts;
    if (!left && !right) return links;
    const auto site = std::make_shared<Site>(division.link.comm(), world_.waiter());
    const auto of_group = [&](const RankRange& ranks) {
      return Members(RankRange{ranks.lo - division.ranks.lo, ranks.hi - division.ranks.lo});
    };
    const bool at_once = left && right && left->hi < right->lo;
    if (at_once) {
      const std::size_t part = holds(left, rank) ? 0 : 1;
      links[part].emplace(form(*site, of_group(*division.parts[part]), 0), site);
      return links;
    }
    for (const std::size_t part : {0, 1}) {
      if (!division.parts[part]) continue;
      const bool joins = holds(division.parts[part], rank);
      GroupComm made = form(*site, joins ? of_group(*division.parts[part]) : Members(), 0);
      if (joins) links[part].emplace(std::move(made), site);
    }
    return links;
  }

  Site& world_;
  MakeCommunicator make_;
  Caller caller_;
  bool local_;
};

/// As janus_sort, over the ranks of `world`, with communicators that `make` forms at each level;
/// who calls it at the same time says `caller`, as in the strategy's row. It must be able to form
/// ranges (Strategy::serves_balancers). Communicators of MPI, the world's at the first level, are
/// used by MPI's own nonblocking collectives; range communicators by theirs. Each is freed when its
/// level has ended.
///
/// Nothing else may be under way on the communicator of `world` with the tags Parent::max_tag - 2
/// and above, and no collective.
template <class T>
SortFacts sort_over(std::vector<T>& data, Site& world, MakeCommunicator make, Caller caller,
                    const SortOptions& options = {}) {
  StrategyLinks links(world, make, caller, false);
  return Sorter<T, StrategyLinks>(links, world.waiter(), options).sort(data);
}

/// … with the code `make` of `strategy`; one that is local has range communicators at all levels.
template <class T>
SortFacts sort_over(std::vector<T>& data, Site& world, const Strategy& strategy,
                    MakeCommunicator make, const SortOptions& options = {}) {
  StrategyLinks links(world, make, strategy.caller, strategy.local());
  return Sorter<T, StrategyLinks>(links, world.waiter(), options).sort(data);
}

}  // namespace regroup::sorting
