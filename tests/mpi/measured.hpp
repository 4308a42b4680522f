// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements on all processes of the test.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "library/execute.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {

inline Scenario measurement_of(std::string kind, Options options) {
  Scenario measurement;
  measurement.ranks = world().ranks;
  measurement.waiting = "polite";
  measurement.measure = {std::move(kind), std::move(options)};
  return measurement;
}

/// Makes the measurement, whose figures are times of samples.
inline void expect_times(const Scenario& measurement) {
  using testing::Key;
  const Outcome outcome = execute(measurement, MPI_COMM_WORLD);
  if (world().rank != 0) return;
  SCOPED_TRACE(to_json(measurement));
  EXPECT_THAT(outcome.figures, testing::ElementsAre(Key("time_high_s"), Key("time_low_s"),
                                                    Key("time_median_s"), Key("time_min_s")));
  if (outcome.figures.size() != 4u) return;
  const auto figure = [&](const char* name) { return outcome.figures.at(name); };
  EXPECT_GT(figure("time_min_s"), 0);
  EXPECT_LE(figure("time_min_s"), figure("time_low_s"));
  EXPECT_LE(figure("time_low_s"), figure("time_median_s"));
  EXPECT_LE(figure("time_median_s"), figure("time_high_s"));
}

}  // namespace regroup
