// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>

namespace regroup {

/// What a leader expects things to take, in seconds: knowledge of time without a clock. Equal
/// arguments have equal answers; on real processes they change, in coarse steps, with what was
/// measured.
struct Forecast {
  /// An item of a group of so many ranks, on average.
  std::function<double(int ranks)> item_s;
  /// A look for messages and an order to so many members.
  std::function<double(int ranks)> order_s;
  /// From the decision to regroup until a new group of so many ranks begins.
  std::function<double(int ranks)> regroup_s;

  /// So many items of a group of `ranks` ranks.
  double seconds(std::int64_t items, int ranks) const {
    return static_cast<double>(items) * item_s(ranks);
  }
};

}  // namespace regroup
