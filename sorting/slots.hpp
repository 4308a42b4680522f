// SPDX-License-Identifier: BSD-3-Clause
//
// Where the elements of a sorted sequence belong: place 0 … n - 1, some on each rank. Needs no MPI.
#pragma once

#include <algorithm>

namespace regroup::sorting {

/// The places begin … end - 1.
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

/// `n` places on `ranks` ranks: each has floor(n / ranks) of them in a row, and the first ones one
/// more where that leaves some.
class Slots {
 public:
  Slots(long long n, int ranks) : n_(n), share_(n / ranks), more_(n % ranks) {}

  Interval all() const { return {0, n_}; }
  Interval of(int rank) const { return {first(rank), first(rank + 1)}; }
  long long fewest() const { return share_; }

  /// The rank that has `place`, one of all().
  int owner(long long place) const {
    const long long of_larger = more_ * (share_ + 1);
    if (place < of_larger) return static_cast<int>(place / (share_ + 1));
    return static_cast<int>(more_ + (place - of_larger) / share_);
  }

  /// The ranks that have `places`, which are not empty.
  int first_of(const Interval& places) const { return owner(places.begin); }
  int last_of(const Interval& places) const { return owner(places.end - 1); }

 private:
  long long first(int rank) const { return rank * share_ + std::min<long long>(rank, more_); }

  long long n_;
  long long share_;
  long long more_;
};

}  // namespace regroup::sorting
