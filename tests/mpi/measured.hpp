// SPDX-License-Identifier: BSD-3-Clause
//
// Performs measurements on all processes of the test.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measurements/measure.hpp"
#include "regroup/measurement.hpp"
#include "tests/mpi/world.hpp"
#include "walkers/walkers.hpp"

namespace regroup {

/// Returns a measurement of `kind` by the walker `sleep`; options not given have their fallbacks.
inline Measurement measurement_of(const MeasurementKind& kind, const Options& options) {
  Measurement measurement;
  measurement.kind = &kind;
  measurement.options = with_fallbacks(kind).options;
  for (const auto& [name, value] : options) measurement.options.set(name, value);
  check_options(kind, measurement.options);
  if (measurement.options.has("communicator")) {
    measurement.strategy = find_entry(strategies(), measurement.options.text("communicator"));
  }
  if (measurement.options.has("operation")) {
    measurement.operation =
        find_entry(collective_operations(), measurement.options.text("operation"));
  }
  const WalkerEntry* sleep = find_entry(walkers(), "sleep");
  measurement.walker = {sleep, with_fallbacks(*sleep).options};
  return measurement;
}

inline Measurement measurement_of(std::string_view kind, const Options& options) {
  return measurement_of(*find_entry(measurement_kinds(), kind), options);
}

/// Performs the measurement on all processes.
inline Outcome measure(const Measurement& measurement) {
  return measure(measurement, {1, 1'000'004}, "polite", nullptr, MPI_COMM_WORLD);
}

/// Performs the measurement; checks that its figures are those of one time and `others`.
inline Outcome expect_times(const Measurement& measurement,
                            const std::vector<std::string>& others = {}) {
  const Outcome outcome = measure(measurement);
  if (world().rank != 0) return outcome;
  std::vector<std::string> names{"time_high_s", "time_low_s", "time_median_s", "time_min_s"};
  names.insert(names.end(), others.begin(), others.end());
  std::vector<std::string> found;
  for (const auto& [name, value] : outcome.figures) found.push_back(name);
  EXPECT_THAT(found, testing::UnorderedElementsAreArray(names));
  if (found.size() != names.size()) return outcome;
  const auto figure = [&](const char* name) { return outcome.figures.at(name); };
  EXPECT_GT(figure("time_min_s"), 0);
  EXPECT_LE(figure("time_min_s"), figure("time_low_s"));
  EXPECT_LE(figure("time_low_s"), figure("time_median_s"));
  EXPECT_LE(figure("time_median_s"), figure("time_high_s"));
  return outcome;
}

}  // namespace regroup
