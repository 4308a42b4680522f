// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "kernel/items/speedup.hpp"

namespace regroup {

/// How long items take: a speed-up model times the jitter of the single item.
///
/// The jitter is a factor with a lognormal distribution: always positive, mean 1, and standard
/// deviation `jitter`, both exactly. It depends on the stream of random numbers, the walker and the
/// item, and on nothing else: every rank of a group and every engine agree about it, and an item
/// that is hard for one group would have been equally hard for another.
class ItemTime {
 public:
  ItemTime() = default;  ///< good for being assigned to

  /// `jitter`: relative to the mean. `stream`: of random numbers.
  ItemTime(Speedup speedup, double jitter, std::uint64_t stream);

  /// Do items of one group differ in their time?
  bool varies() const { return deviation_ > 0; }

  /// Seconds that `ranks` ranks take for an item, on average.
  double seconds(int ranks) const { return speedup_(ranks); }

  /// Seconds that they take for the next item of `walker`, which has `items_left` items left
  /// (this one included).
  double seconds(int ranks, int walker, std::int64_t items_left) const;

 private:
  Speedup speedup_;
  double deviation_ = 0;  // of the logarithm of the factor
  std::uint64_t stream_ = 1;
};

}  // namespace regroup
