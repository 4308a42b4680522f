// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "regroup/workload.hpp"

namespace regroup {

/// The time below which no schedule of these chains on so many ranks can end, in seconds, whoever
/// regroups and whatever that costs; with jitter: below which none ends on average.
///
/// A chain of w items that is to end at C needs w / C items a second. Over time a schedule gives it
/// groups of several sizes; the average of their rates is not above the concave hull of the rate
/// 1 / t(n) at the average of their sizes (Jensen's inequality). So it takes at least the ranks
/// that the hull needs for that rate, a fraction of one where one is too many, and C is the least
/// time at which the ranks suffice for all chains. Sizes at which an item takes longer than in a
/// smaller group are no use, and the hull leaves them out.
///
/// `items`: of each chain. `time`: t(n), of a group of n ranks.
double bound_s(std::span<const std::int64_t> items, const ItemTime& time, int ranks);

}  // namespace regroup
