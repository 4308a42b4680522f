// SPDX-License-Identifier: BSD-3-Clause
#include "sorting/assignment.hpp"

#include <limits>

namespace regroup::sorting {

int Slots::owner(long long position) const {
  const long long of_larger = more_ * (share_ + 1);
  if (position < of_larger) return static_cast<int>(position / (share_ + 1));
  return static_cast<int>(more_ + (position - of_larger) / share_);
}

std::vector<Piece> pieces_in_order(const Slots& slots, Interval positions) {
  std::vector<Piece> pieces;
  while (!positions.empty()) {
    const int owner = slots.owner(positions.begin);
    const long long count = common(positions, slots.of(owner)).size();
    pieces.push_back({owner, count});
    positions.begin += count;
  }
  return pieces;
}

std::vector<Piece> pieces_home_first(std::span<const long long> lengths,
                                     std::span<const long long> capacities, std::size_t me) {
  std::vector<Piece> pieces;
  const long long kept = std::min(lengths[me], capacities[me]);
  if (kept > 0) pieces.push_back({static_cast<int>(me), kept});
  long long before = 0;  // sent by lower ranks and not yet assigned
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

long long pieces_per_target(std::span<const long long> lengths, std::size_t targets) {
  const auto sources = static_cast<std::size_t>(
      std::ranges::count_if(lengths, [](long long length) { return length > 0; }));
  return static_cast<long long>((sources + targets - 1) / targets);
}

std::vector<Piece> deterministic_pieces(std::span<const long long> lengths,
                                        std::span<const long long> capacities, std::size_t me) {
  std::vector<Piece> pieces;
  std::vector<long long> left(capacities.begin(), capacities.end());
  const std::size_t targets = left.size();
  if (targets == 0) return pieces;
  const long long per_target = pieces_per_target(lengths, targets);
  // At most two targets may all be parts of ranks. No length is small then: 2r sources are all.
  long long whole = targets > 2 ? std::numeric_limits<long long>::max() : 0;
  for (std::size_t target = 1; target + 1 < targets; ++target) {
    whole = std::min(whole, left[target]);
  }
  const auto is_small = [&](long long length) { return length * 2 * per_target <= whole; };
  std::size_t target = 1;  // the first target may be part of a rank
  long long assigned = 0;
  std::size_t others = lengths.size();  // the first small source without a whole target
  for (std::size_t source = 0; source < lengths.size(); ++source) {
    if (lengths[source] == 0 || !is_small(lengths[source])) continue;
    if (assigned == per_target) {
      ++target;
      assigned = 0;
    }
    if (target + 1 >= targets) {
      others = source;
      break;
    }
    if (source == me) return {{static_cast<int>(target), lengths[source]}};
    left[target] -= lengths[source];
    ++assigned;
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
