// SPDX-License-Identifier: BSD-3-Clause
#include "kernel/mpi/run.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/mpi/collect.hpp"
#include "kernel/mpi/first_contact.hpp"
#include "kernel/mpi/process.hpp"
#include "kernel/mpi/shared_clock.hpp"
#include "kernel/mpi/surroundings.hpp"

namespace regroup {
Outcome run(const Scenario& scenario, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != scenario.ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", scenario.ranks, ranks));
  }

  const Surroundings found = look_around(scenario.waiting, world);
  Outcome outcome;
  outcome.library = found.library;
  outcome.cores = found.cores;
  outcome.waiting = found.waiting_name();

  SharedClock clock(world, found.simulated);
  const Waiter waiter(found.how, ranks);
  Parent parent(world, waiter);
  {
    Process process(scenario, parent);
    if (!found.simulated) make_first_contact(parent);
    waiter.blocking([&] { clock.start_together(world); });
    outcome.setup_s = MPI_Wtime() - began;
    process.run(clock);
    waiter.blocking([&] { outcome.lives = collect_lives(process.lives(), world); });
  }
  waiter.blocking([&] {
    outcome.communicators_alive_max = largest(parent.communicators().alive_max, world);
    outcome.communicators_left = largest(parent.communicators().alive, world);
  });
  return outcome;
}

}  // namespace regroup
