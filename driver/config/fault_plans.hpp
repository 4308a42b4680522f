// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/config/reader.hpp"

namespace regroup {

/// What the key `faults` allows.
inline constexpr std::string_view faults_allowed =
    "none | a map with any of kill: [{rank, at_item | at_s}], hang: [{rank, at_item | at_s}], "
    "slow: [{rank, factor}], mtbf_s, detection_ms and save_ms";

/// The values of the key `faults`, as FaultPlan::text. Throws UserError with the line.
std::vector<std::string> fault_plans(const ConfigReader& reader);

/// Where that key names `rank`.
const ConfigNode& rank_in_faults(const ConfigReader& reader, int rank);

}  // namespace regroup
