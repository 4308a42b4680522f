// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "regroup/workload.hpp"

namespace regroup {

/// The time below which no schedule of these chains on so many ranks can end, in seconds, whoever
/// regroups and whatever that costs; with jitter, on average.
///
/// A chain of w items that ends at C needs w / C items a second. The average of the rates of its
/// groups is not above the concave hull of the rate 1 / t(n) at their average size (Jensen's
/// inequality). So it takes at least the ranks, or the fraction of one, that the hull needs for
/// that rate, and C is the least time at which the ranks suffice for all chains.
///
/// `items`: of each chain; fractions where single items take longer or shorter. `time`: t(n), of a
/// group of n ranks.
double bound_s(std::span<const double> items, const ItemTime& time, int ranks);

/// … of whole items.
double bound_s(std::span<const std::int64_t> items, const ItemTime& time, int ranks);

}  // namespace regroup
