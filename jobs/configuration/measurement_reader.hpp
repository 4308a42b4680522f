// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/configuration/configuration.hpp"
#include "jobs/configuration/grid.hpp"
#include "jobs/configuration/reader.hpp"
#include "kernel/measurement/measurement.hpp"

namespace regroup {

/// A configuration of measurements, resolved. Its key `measure` names their kind. They are made on
/// demand.
///
/// They are the cross product of all lists, repetitions outermost, but for these. What an option
/// does not apply to is measured once. A copy of the parent is measured as one group of all ranks.
/// Groups that are larger than some values of `ranks` are left out there.
class Measurements : public Configuration {
 public:
  Measurements(Configuration configuration, const MeasurementKind& kind, Grid<Measurement> grid);

  const MeasurementKind& kind() const { return *kind_; }
  std::size_t size() const { return kept_.size(); }
  Measurement at(std::size_t place) const;

 private:
  const MeasurementKind* kind_;
  Grid<Measurement> grid_;
  std::vector<std::uint32_t> kept_;  // places of the grid
};

/// The communicator strategy that `measurement` is about; empty where it is about none.
std::string_view strategy_of(const Measurement& measurement);

/// All keys of a configuration of measurements of `kind`.
std::vector<ConfigKey> measurement_keys(const MeasurementKind& kind);

/// Whether a configuration is one of measurements, and not of an experiment.
bool is_of_measurements(const ConfigSource& source);

/// Reads and checks a configuration, whose measurements must be of `kind`; empty: of any.
/// Throws UserError with FILE:LINE for every mistake.
Measurements read_measurements(const ConfigSource& source, std::string_view kind = "");

}  // namespace regroup
