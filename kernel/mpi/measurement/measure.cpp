// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/measure.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/mpi/stage/first_contact.hpp"
#include "kernel/mpi/stage/surroundings.hpp"

namespace regroup {

Findings measure(const Measurement& measurement, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != measurement.ranks) {
    throw std::invalid_argument(fmt::format(
        "the measurement wants {} ranks and was launched with {}", measurement.ranks, ranks));
  }
  const Surroundings found = look_around(measurement.waiting, world);
  SharedClock clock(world, found.simulated);
  const Waiter waiter(found.how, ranks);
  Site parent(world, waiter);
  make_first_contact(parent);
  waiter.blocking([&] { clock.start_together(world); });

  Findings findings;
  findings.library = found.library;
  findings.cores = found.cores;
  findings.waiting = found.waiting_name();
  findings.setup_s = MPI_Wtime() - began;
  const Bench bench{measurement, parent, clock};
  const auto measure_kind = measurement.kind == "creation"      ? measure_creation
                            : measurement.kind == "collectives" ? measure_collectives
                                                                : measure_steps;
  findings.figures = measure_kind(bench);
  return findings;
}

}  // namespace regroup
