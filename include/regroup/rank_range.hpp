// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace regroup {

/// Consecutive ranks `lo … hi`, both included.
struct RankRange {
  int lo = 0;
  int hi = -1;

  constexpr int size() const { return hi - lo + 1; }
  constexpr bool contains(int rank) const { return lo <= rank && rank <= hi; }
  constexpr bool contains(RankRange other) const { return lo <= other.lo && other.hi <= hi; }
  friend constexpr bool operator==(RankRange, RankRange) = default;
};

}  // namespace regroup
