// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "jobs/configuration/experiment.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// All keys of the configuration of runs; of measurements of `measured`.
std::vector<ConfigKey> configuration_keys(const MeasurementKind* measured = nullptr);

/// Those keys of runs whose values are numbers, or words that no list has.
std::vector<ConfigKey> keys_of_parameters();

/// Reads and checks a configuration, which must be one that `regroup KIND` executes; empty: any.
/// Throws UserError with FILE:LINE for every mistake.
Experiment read_experiment(const ConfigSource& source, std::string_view kind = "");

}  // namespace regroup
