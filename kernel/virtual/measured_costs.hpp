// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "communicators/strategies.hpp"
#include "kernel/options.hpp"

namespace regroup {

/// A cost at several sizes: (log2 of the size, seconds), by size; at least one. Between two points
/// it is on the line that joins them; below the first it is that of the first, beyond the last on
/// the line through the last two.
using CostCurve = std::vector<std::pair<double, double>>;
double at(const CostCurve& curve, double log2_size);

/// The levels of a binary tree over `size`, in which costs are counted: log2 of it, but 0 for less
/// than one.
double levels_of(double size);

/// What communication costs on a real machine, from files that `regroup creation` and
/// `regroup steps` wrote there.
struct MeasuredCosts {
  double message = 0;
  double look = 0;
  CostCurve tell;      ///< by members of the group
  CostCurve exchange;  ///< by leaders
  CostCurve create;    ///< by members, or by ranks where the strategy is parent-collective
  friend bool operator==(const MeasuredCosts&, const MeasuredCosts&) = default;
};

/// For runs of `ranks` ranks with `strategy`, or nullptr, from the files that the options
/// `costs_file` and `steps_file` name; of measurements with several numbers of ranks, those with
/// the nearest count, but for a parent-collective strategy, where all do. Only rows with status ok,
/// and the pattern one_group, count. Throws UserError, with the file, where it cannot be read or
/// has no such row.
MeasuredCosts read_measured_costs(const Options& options, int ranks, const Strategy* strategy);

}  // namespace regroup
