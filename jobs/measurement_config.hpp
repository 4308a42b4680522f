// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/configuration.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// A configuration of measurements, resolved. Its key `measure` names their kind.
struct Measurements : Configuration {
  const MeasurementKind* kind = nullptr;
  std::vector<Measurement> list;  ///< repetitions outermost
};

/// The communicator strategy that `measurement` is about; empty where it is about none.
std::string_view strategy_of(const Measurement& measurement);

/// Whether the configuration `path` is one of measurements, and not of an experiment.
bool is_of_measurements(const std::string& path);

/// Reads and checks the configuration `path`, whose measurements must be of `kind`; empty: of any.
/// Throws UserError with FILE:LINE for every mistake.
///
/// The measurements are the cross product of all lists, but for these. What an option does not
/// apply to is measured once. A copy of the parent is measured as one group of all ranks. Groups
/// that are larger than some values of `ranks` are left out there.
Measurements read_measurements(const std::string& path, std::string_view kind = "");

}  // namespace regroup
