// SPDX-License-Identifier: BSD-3-Clause
//
// Which elements of a rank go to which rank, where a group sends those of one part, small or large,
// to the ranks of that part. Two ways:
//
// greedy: each rank keeps what belongs to its part anyway, as far as it has places, and what
// remains fills the remaining places in the order of ranks. A rank sends to ranks in a row; one
// that gets its elements from ranks with few each receives from many. In large groups, of which
// nobody knows all counts, the same without keeping any.
//
// deterministic, after Axtmann, Bingmann, Sanders and Schulz (Practical Massively Parallel Sorting,
// SPAA 2015), with the lengths of all ranks known:
//
//   r ← sources / targets, rounded up
//   what is at most a 2r-th of a target is small: r of them go to each target that is whole, in
//   their order, which fills at most half of it
//   all else fills what is left of the targets, in order
//
// Of the second kind a target receives at most 2r + 1, since they are longer than a 2r-th of it; so
// 3r + 1 in all. Where small ones are left over, because the first and the last target are parts of
// ranks, at most 2r sources are left altogether. A source has no more than a target holds, and at
// least half of each is left: so it sends to few. Needs no MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sorting/slots.hpp"

namespace regroup::sorting {

/// So many elements, the next ones of their sender, to the rank or target `to`.
struct Piece {
  int to = 0;
  long long count = 0;

  friend bool operator==(const Piece&, const Piece&) = default;
};

/// What goes to whom if an element's place is its place in `places`, in order.
inline std::vector<Piece> pieces_in_order(const Slots& slots, Interval places) {
  std::vector<Piece> pieces;
  while (!places.empty()) {
    const int owner = slots.owner(places.begin);
    const long long count = common(places, slots.of(owner)).size();
    pieces.push_back({owner, count});
    places.begin += count;
  }
  return pieces;
}

/// What source `me` sends to whom if each of the ranks first keeps of its `lengths` elements what
/// its own capacity takes, and what remains fills the rest, in order. Takes time for all ranks.
inline std::vector<Piece> pieces_home_first(std::span<const long long> lengths,
                                            std::span<const long long> capacities, std::size_t me) {
  std::vector<Piece> pieces;
  const long long kept = std::min(lengths[me], capacities[me]);
  if (kept > 0) pieces.push_back({static_cast<int>(me), kept});
  long long before = 0;  // what is sent away by ranks before the caller, and not yet passed by
  for (std::size_t rank = 0; rank < me; ++rank) {
    before += std::max(0LL, lengths[rank] - capacities[rank]);
  }
  long long rest = lengths[me] - kept;
  for (std::size_t rank = 0; rest > 0; ++rank) {
    long long room = std::max(0LL, capacities[rank] - lengths[rank]);
    const long long passed = std::min(before, room);
    before -= passed;
    room -= passed;
    const long long count = std::min(rest, room);
    if (count > 0) pieces.push_back({static_cast<int>(rank), count});
    rest -= count;
  }
  return pieces;
}

/// The r of the deterministic assignment.
inline long long pieces_per_target(std::span<const long long> lengths, std::size_t targets) {
  const auto sources = static_cast<std::size_t>(
      std::ranges::count_if(lengths, [](long long length) { return length > 0; }));
  return static_cast<long long>((sources + targets - 1) / targets);
}

/// What source `me` sends to whom, if the sources have `lengths` elements, and the targets hold
/// `capacities`, of the same sum. All targets but the first and the last hold the same number, or
/// one more. By the deterministic assignment; takes time for sources + targets.
inline std::vector<Piece> deterministic_pieces(std::span<const long long> lengths,
                                               std::span<const long long> capacities,
                                               std::size_t me) {
  std::vector<Piece> pieces;
  std::vector<long long> left(capacities.begin(), capacities.end());
  const std::size_t targets = left.size();
  if (targets == 0) return pieces;
  const long long per_target = pieces_per_target(lengths, targets);
  // Of two targets or one, none is certain to be whole, and r of each is all that there are.
  long long whole = targets > 2 ? std::numeric_limits<long long>::max() : 0;
  for (std::size_t target = 1; target + 1 < targets; ++target) {
    whole = std::min(whole, left[target]);
  }
  const auto is_small = [&](long long length) { return length * 2 * per_target <= whole; };
  std::size_t target = 1;  // the first one may be a part of a rank
  long long there = 0;
  std::size_t others = lengths.size();  // the first small source for which there is no target
  for (std::size_t source = 0; source < lengths.size(); ++source) {
    if (lengths[source] == 0 || !is_small(lengths[source])) continue;
    if (there == per_target) {
      ++target;
      there = 0;
    }
    if (target + 1 >= targets) {
      others = source;
      break;
    }
    if (source == me) return {{static_cast<int>(target), lengths[source]}};
    left[target] -= lengths[source];
    ++there;
  }
  target = 0;
  for (std::size_t source = 0; source <= me; ++source) {
    if (source < others && is_small(lengths[source])) continue;
    for (long long rest = lengths[source]; rest > 0;) {
      while (left[target] == 0) ++target;
      const long long count = std::min(rest, left[target]);
      if (source == me) pieces.push_back({static_cast<int>(target), count});
      left[target] -= count;
      rest -= count;
    }
  }
  return pieces;
}

}  // namespace regroup::sorting
