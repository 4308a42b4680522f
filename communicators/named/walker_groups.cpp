// SPDX-License-Identifier: BSD-3-Clause
#include "communicators/named/walker_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace regroup {
namespace {

/// Returns the highest rank plus one. Throws UserError for processors and ranks that are too high.
int ranks_of(const Definitions& definitions, int most_ranks) {
  int ranks = 0;
  for (const DefinedCommunicator& communicator : definitions.communicators()) {
    for (const DefinedMembers& members : communicator.members) {
      if (members.kind != DefinedMembers::Kind::ranks) {
        definitions.fail(
            members.line,
            fmt::format("the members of walker groups are given by rank, and not by processor as "
                        "'{}': `regroup groups make --hosts` prints such a file",
                        members.text));
      }
      if (members.ranks.hi >= most_ranks) {
        definitions.fail(members.line, fmt::format("a run has no rank {}: at most {} of them",
                                                   members.ranks.hi, most_ranks));
      }
      ranks = std::max(ranks, members.ranks.hi + 1);
    }
  }
  return ranks;
}

RankSet set_of(const Members& members) {
  std::vector<RankRange> ranges;
  for (const int rank : members.ranks()) ranges.push_back({rank, rank});
  return RankSet::of(std::move(ranges));
}

}  // namespace

StartingGroups walker_groups(const Definitions& definitions, int most_ranks) {
  const auto& communicators = definitions.communicators();
  const int ranks = ranks_of(definitions, most_ranks);
  const DefinedGroups defined(definitions, ranks, {});
  std::vector<const DefinedCommunicator*> of(static_cast<std::size_t>(ranks));
  std::vector<RankSet> groups;
  for (std::size_t place = 0; place < communicators.size(); ++place) {
    const DefinedCommunicator& communicator = communicators[place];
    if (communicator.parent >= 0) continue;
    groups.push_back(set_of(defined.members(static_cast<int>(place))));
    for (const RankRange range : groups.back().ranges()) {
      for (int rank = range.lo; rank <= range.hi; ++rank) {
        const auto* other = std::exchange(of[static_cast<std::size_t>(rank)], &communicator);
        if (other == nullptr) continue;
        definitions.fail(communicator.line,
                         fmt::format("rank {} is in {}, and in {} of line {}: walker groups have "
                                     "no rank in common",
                                     rank, communicator.name, other->name, other->line));
      }
    }
  }
  const auto missing = std::ranges::find(of, nullptr);
  if (missing != of.end()) {
    definitions.fail(communicators.empty() ? 1 : communicators.back().line,
                     fmt::format("rank {} of {} is in no walker group: each is in one",
                                 missing - of.begin(), ranks));
  }
  if (groups.empty()) definitions.fail(1, "there are no communicators");
  return groups;
}

}  // namespace regroup
