// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "regroup/workload.hpp"

namespace regroup {

/// Returns a lower bound of the makespan of these chains on `ranks` ranks, in seconds, for every
/// balancer and cost of regrouping. With jitter, it bounds the mean makespan.
///
/// A chain of w items that ends at time C needs a rate of w / C items per second. By Jensen's
/// inequality, the mean rate of its groups is at most the concave hull of 1 / t(n) at their mean
/// size. So the chain needs at least the (fractional) number of ranks at which the hull reaches
/// this rate. The bound is the smallest C for which `ranks` ranks suffice for all chains.
///
/// `items`: number of items of each chain; fractional if items differ from the mean time. `time`:
/// the mean time t(n) of an item in a group of n ranks.
double bound_s(std::span<const double> items, const ItemTime& time, int ranks);

/// Same for whole numbers of items.
double bound_s(std::span<const std::int64_t> items, const ItemTime& time, int ranks);

}  // namespace regroup
