// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace regroup {

/// Consecutive ranks `lo … hi` of the world communicator, both included. A walker group is such a
/// range at every moment, and its leader is the rank `lo`.
struct RankRange {
  int lo = 0;
  int hi = -1;

  constexpr int size() const { return hi - lo + 1; }
  constexpr bool contains(int rank) const { return lo <= rank && rank <= hi; }
  constexpr bool contains(RankRange other) const { return lo <= other.lo && other.hi <= hi; }
  friend constexpr bool operator==(RankRange, RankRange) = default;
};

/// The walker groups at the start of a run: `group_size` consecutive ranks each; the last group is
/// smaller where `group_size` does not divide `ranks`.
std::vector<RankRange> initial_groups(int ranks, int group_size);

/// The walker that the group `ranks` executes, named by its first leader: a merged group always
/// goes on with the walker of its rightmost part, so the highest rank tells.
constexpr int walker_of(RankRange ranks, int group_size) {
  return ranks.hi / group_size * group_size;
}

}  // namespace regroup
