// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "regroup/outcome.hpp"

namespace regroup {

/// In how many regroupings the processes took part: the paper's Table 1.
struct RegroupStatistics {
  double average = 0;
  double deviation = 0;  ///< of the population of all processes
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::map<std::int64_t, std::int64_t> processes;  ///< number of regroupings → processes
};

RegroupStatistics regroup_statistics(std::span<const GroupLife> lives, int ranks);

/// Of so many processes by their numbers of regroupings.
RegroupStatistics regroup_statistics(std::map<std::int64_t, std::int64_t> processes);

}  // namespace regroup
