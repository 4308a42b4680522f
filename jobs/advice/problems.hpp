// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "jobs/configuration/experiment.hpp"

namespace regroup {

/// What is to be done, whoever does it.
struct Problem {
  Scenario run;                                        ///< whatever its balancer and its seed
  std::vector<std::pair<std::uint64_t, int>> streams;  ///< seeds and repetitions to try
};

inline constexpr std::size_t most_problems = 1000;
inline constexpr std::size_t most_streams = 20;  ///< of a problem; the first

/// The problems of a configuration of runs: all combinations of workload, ranks, group size, item
/// time, speed-up, jitter and, without `costs` for all, of costs. Throws UserError where there are
/// too many.
std::vector<Problem> problems(const Experiment& experiment, const std::optional<Choice>& costs);

}  // namespace regroup
