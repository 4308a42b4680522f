// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/measurement/measure.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/measurement/sampled.hpp"
#include "kernel/mpi/collect.hpp"
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
  Surroundings found = look_around(subject.waiting, world);
  const Waiter waiter(found.how, ranks);
  SharedClock clock(world, waiter, found.simulated ? simulated_clock() : own_clock());
  Site parent(world, waiter);
  make_first_contact(parent);
  waiter.blocking([&] { clock.start_together(); });
  if (subject.on_start && parent.rank() == 0) subject.on_start();

  Outcome outcome;
  outcome.library = found.library;
  outcome.place = std::move(found.place);
  outcome.waiting = found.waiting_name();
  outcome.setup_s = MPI_Wtime() - began;
  Findings findings = subject.find({subject, parent, clock});
  outcome.figures = std::move(findings.figures);
  outcome.figures.merge(figures_of(findings.samples));
  outcome.samples = kept_of(std::move(findings.samples));
  clock.look_again();  // which tells how wrong it had become
  if (clock.has_other_hosts()) {
    waiter.blocking([&] { outcome.clock_error_us = worst(clock.error(), world) * 1e6; });
  }
  return outcome;
}

}  // namespace regroup
