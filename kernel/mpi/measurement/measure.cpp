// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/measure.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/mpi/stage/first_contact.hpp"
#include "kernel/mpi/stage/surroundings.hpp"

namespace regroup {

Outcome measure(const Subject& subject, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != subject.ranks) {
    throw std::invalid_argument(fmt::format(
        "the measurement wants {} ranks and was launched with {}", subject.ranks, ranks));
  }
  const Surroundings found = look_around(subject.waiting, world);
  SharedClock clock(world, found.simulated);
  const Waiter waiter(found.how, ranks);
  Site parent(world, waiter);
  make_first_contact(parent);
  waiter.blocking([&] { clock.start_together(world); });
  if (subject.on_start && parent.rank() == 0) subject.on_start();

  Outcome outcome;
  outcome.library = found.library;
  outcome.cores = found.cores;
  outcome.waiting = found.waiting_name();
  outcome.setup_s = MPI_Wtime() - began;
  outcome.figures = subject.find_figures({subject, parent, clock});
  return outcome;
}

}  // namespace regroup
