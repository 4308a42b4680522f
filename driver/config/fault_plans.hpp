// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "driver/config/reader.hpp"

namespace regroup {

/// Describes the allowed values of the key `faults`.
inline constexpr std::string_view faults_allowed =
    "none | a map with any of kill: [{rank, at_item | at_s}], hang: [{rank, at_item | at_s}], "
    "slow: [{rank, factor}], mtbf_s, detection_ms and save_ms";

/// Returns the values of the key `faults`, as FaultPlan::text. Throws UserError with the line.
std::vector<std::string> fault_plans(const ConfigReader& reader);

/// Returns the node in the value of `faults` that names `rank`, or that value if none does.
const ConfigNode& rank_in_faults(const ConfigReader& reader, int rank);

}  // namespace regroup
