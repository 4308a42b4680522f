// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic of positions in the sorted sequence 0 … n - 1: which rank holds which of them, and
// which elements a rank sends to which rank. Needs no MPI.
//
// A group sends the elements of a part, the small or the large ones, to the ranks of that part:
//
// greedy: each rank keeps what belongs to its part anyway, as far as it has room, and the rest
// fills the remaining room in the order of ranks. A rank that gets its elements from ranks with few
// each receives from many. In large groups, in which nobody knows all counts, ranks keep none.
//
// deterministic, after Axtmann, Bingmann, Sanders and Schulz (Practical Massively Parallel Sorting,
// SPAA 2015), with the lengths of all ranks known:
//
//   r ← sources / targets, rounded up
//   lengths of at most a 2r-th of a target are small: r of them go to each whole target, in their
//   order, which fills at most half of it
//   all others fill the room that is left, in order
//
// Of the others a target receives at most 2r + 1, so 3r + 1 in all; where small ones are left over,
// because the first and the last target are parts of ranks, at most 2r sources are left altogether.
// A source has no more than a target holds, and half of each target is left: it sends to few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace regroup::sorting {

/// The positions begin … end - 1.
struct Interval {
  long long begin = 0;
  long long end = 0;

  long long size() const { return end - begin; }
  bool empty() const { return begin >= end; }
};

inline Interval common(const Interval& one, const Interval& other) {
  const long long begin = std::max(one.begin, other.begin);
  return {begin, std::max(begin, std::min(one.end, other.end))};
}

/// `n` positions on `ranks` ranks: each has floor(n / ranks) consecutive ones, and the first ranks
/// have one more if the division leaves a remainder.
class Slots {
 public:
  Slots(long long n, int ranks) : n_(n), share_(n / ranks), more_(n % ranks) {}

  Interval all() const { return {0, n_}; }
  Interval of(int rank) const { return {first(rank), first(rank + 1)}; }
  long long fewest() const { return share_; }

  /// The rank that has `position`, one of all().
  int owner(long long position) const;

  /// The ranks that have `positions`, which are not empty.
  int first_of(const Interval& positions) const { return owner(positions.begin); }
  int last_of(const Interval& positions) const { return owner(positions.end - 1); }

 private:
  long long first(int rank) const { return rank * share_ + std::min<long long>(rank, more_); }

  long long n_;
  long long share_;
  long long more_;
};

/// So many elements, the next ones of their sender, to the rank or target `to`.
struct Piece {
  int to = 0;
  long long count = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Who receives the elements of `positions`, in order, if each goes to the owner of its position.
std::vector<Piece> pieces_in_order(const Slots& slots, Interval positions);

/// What source `me` sends to whom if each of the ranks first keeps as many of its `lengths`
/// elements as its own capacity allows, and the rest fills the remaining room, in order. Takes time
/// linear in the number of ranks.
std::vector<Piece> pieces_home_first(std::span<const long long> lengths,
                                     std::span<const long long> capacities, std::size_t me);

/// The r of the deterministic assignment.
long long pieces_per_target(std::span<const long long> lengths, std::size_t targets);

/// What source `me` sends to whom by the deterministic assignment, if the sources have `lengths`
/// elements and the targets hold `capacities`, of the same sum. All targets but the first and the
/// last hold the same number, or one more. Takes time linear in sources + targets.
std::vector<Piece> deterministic_pieces(std::span<const long long> lengths,
                                        std::span<const long long> capacities, std::size_t me);

}  // namespace regroup::sorting
