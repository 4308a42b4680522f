// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "communicators/site.hpp"
#include "kernel/measurement/measurement.hpp"
#include "kernel/mpi/stage/shared_clock.hpp"

namespace regroup {

/// Makes `measurement` with the processes of `world`, collectively. The findings are whole on
/// rank 0. Throws std::invalid_argument where the number of processes is not that of the
/// measurement.
Findings measure(const Measurement& measurement, MPI_Comm world);

/// What every kind of measurement works with.
struct Bench {
  const Measurement& measurement;
  Site& world;
  const SharedClock& clock;
};

/// The kinds; each fills in its figures, on rank 0. Collective.
std::map<std::string, double> measure_creation(const Bench& bench);
std::map<std::string, double> measure_collectives(const Bench& bench);
std::map<std::string, double> measure_steps(const Bench& bench);

}  // namespace regroup
