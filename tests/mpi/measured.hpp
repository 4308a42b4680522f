// SPDX-License-Identifier: BSD-3-Clause
//
// Measurements on all processes of the test.
#pragma once

#include <string>
#include <utility>

#include "jobs/ranks/execute.hpp"
#include "tests/mpi/world.hpp"

namespace regroup {

inline Scenario measurement_of(std::string kind, Options options) {
  Scenario measurement;
  measurement.ranks = world().ranks;
  measurement.waiting = "polite";
  measurement.measure = {std::move(kind), std::move(options)};
  return measurement;
}

}  // namespace regroup
