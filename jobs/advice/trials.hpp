// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jobs/advice/contenders.hpp"
#include "jobs/advice/problems.hpp"

namespace regroup {

/// What came of one entrant.
struct Trial {
  std::vector<double> makespans_s;  ///< one of each stream, or one in all where nothing is drawn
  std::string failure;              ///< why there are none

  bool well() const { return failure.empty(); }
  double makespan_s() const;  ///< their median
  /// The median of their ratios to the numbers of `times_s`, one of each stream.
  double over(const std::vector<double>& times_s) const;
};

/// Executes all `entrants` in virtual time, on all cores. Forming a communicator is `factor` times
/// as dear as their costs say. `progress`, if any, is told how many runs of how many are done.
std::vector<Trial> try_all(const Problem& problem, std::span<const Entrant> entrants,
                           double factor = 1,
                           const std::function<void(std::size_t, std::size_t)>& progress = {});

/// The ideal time of each stream, and the bound below which nobody can end.
std::vector<double> ideals_s(const Problem& problem);
std::vector<double> bounds_s(const Problem& problem);

}  // namespace regroup
