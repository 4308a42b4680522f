// SPDX-License-Identifier: BSD-3-Clause
//
// Arithmetic of the positions 0 … n - 1 of the sorted sequence: which rank holds which positions,
// and which elements a rank sends to which rank. Needs no MPI.
//
// A group sends the elements of a part, the small or the large ones, to the ranks of that part:
//
// greedy: each rank keeps as many of its elements of the part as it has room for; the rest fills
// the remaining room in the order of ranks. A rank may receive from many ranks with few elements
// each. In large groups, in which ranks do not know all counts, ranks keep none.
//
// deterministic, after Axtmann, Bingmann, Sanders and Schulz (Practical Massively Parallel Sorting,
// SPAA 2015), with the lengths of all ranks known:
//
//   r ← sources / targets, rounded up
//   lengths of at most 1/(2r) of a target are small: r of them go to each whole target, in order,
//   which fills at most half of it
//   all other lengths fill the remaining room, in order
//
// A target receives from at most 2r + 1 other sources, so from 3r + 1 in all. If small lengths
// remain, because the first and the last target are parts of ranks, at most 2r sources remain in
// all. A source holds at most as much as a target, half of which is free: it sends to few targets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace regroup::sorting {

/// The positions from begin to end - 1.
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

/// The distribution of `n` positions over `ranks` ranks: each has floor(n / ranks) consecutive
/// positions, and the first n mod ranks ranks have one more.
class Slots {
 public:
  Slots(long long n, int ranks) : n_(n), share_(n / ranks), more_(n % ranks) {}

  Interval all() const { return {0, n_}; }
  Interval of(int rank) const { return {first(rank), first(rank + 1)}; }
  long long fewest() const { return share_; }

  /// Returns the rank that has `position`, one of all().
  int owner(long long position) const;

  /// The first and the last rank that have some of `positions`, which must not be empty.
  int first_of(const Interval& positions) const { return owner(positions.begin); }
  int last_of(const Interval& positions) const { return owner(positions.end - 1); }

 private:
  long long first(int rank) const { return rank * share_ + std::min<long long>(rank, more_); }

  long long n_;
  long long share_;
  long long more_;
};

/// The next `count` elements of their sender, for the rank or target `to`.
struct Piece {
  int to = 0;
  long long count = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Returns the pieces of the elements of `positions`, in order, if each goes to its owner.
std::vector<Piece> pieces_in_order(const Slots& slots, Interval positions);

/// Returns the pieces of source `me` if each rank first keeps as many of its `lengths` elements as
/// its own capacity allows, and the rest fills the remaining room, in order. Takes time linear in
/// the number of ranks.
std::vector<Piece> pieces_home_first(std::span<const long long> lengths,
                                     std::span<const long long> capacities, std::size_t me);

/// Returns the r of the deterministic assignment.
long long pieces_per_target(std::span<const long long> lengths, std::size_t targets);

/// Returns the pieces of source `me` in the deterministic assignment, if the sources have `lengths`
/// elements and the targets hold `capacities`, of the same sum. All targets but the first and the
/// last hold the same number, or one more. Takes time linear in sources + targets.
std::vector<Piece> deterministic_pieces(std::span<const long long> lengths,
                                        std::span<const long long> capacities, std::size_t me);

}  // namespace regroup::sorting
