// SPDX-License-Identifier: BSD-3-Clause
#include "engines/mpi/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "engines/mpi/collect.hpp"
#include "engines/mpi/process.hpp"
#include "engines/mpi/shared_clock.hpp"
#include "engines/mpi/surroundings.hpp"
#include "engines/mpi/tags.hpp"
#include "kernel/clocks/clock.hpp"

namespace regroup {
namespace {

/// `lives`, with the times that their end has set right.
std::vector<GroupLife> settled(std::vector<GroupLife> lives, const SharedClock& clock) {
  for (GroupLife& life : lives) {
    for (double* time : {&life.formed_s, &life.busy_until_s, &life.ended_s}) {
      *time = clock.settled(*time);
    }
  }
  return lives;
}

}  // namespace

Outcome execute(RunInput run, const Hands& hands, MPI_Comm world) {
  const double began = MPI_Wtime();
  int ranks = 0;
  MPI_Comm_size(world, &ranks);
  if (ranks != run.ranks) {
    throw std::invalid_argument(
        fmt::format("the run wants {} ranks and was launched with {}", run.ranks, ranks));
  }

  Surroundings found = look_around(hands.waiting, world);
  Outcome outcome;
  outcome.library = found.library;
  outcome.place = std::move(found.place);
  outcome.waiting = found.waiting_name();
  if (!found.simulated) run.nodes = found.nodes;
  if (hands.walkers.computes) run.cores = found.cores;

  const Waiter waiter(found.how, ranks);
  SharedClock clock(world, waiter, found.simulated ? simulated_clock() : own_clock());
  Site site(world, waiter);
  {
    Position unseen;
    Position& position = hands.position != nullptr ? *hands.position : unseen;
    Process process(run, hands.make, hands.walkers, site, position);
    run = {};  // on a simulator all ranks share one memory
    if (!found.simulated) make_first_contact(site);
    waiter.blocking([&] { clock.start_together(); });
    position.started = Position::now();
    if (hands.on_start && site.rank() == 0) hands.on_start();
    outcome.setup_s = MPI_Wtime() - began;
    const double before_s = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    process.run(clock);
    const double cpu_s = read_clock(CLOCK_PROCESS_CPUTIME_ID) - before_s;
    clock.look_again();
    const std::vector<GroupLife> lives = settled(process.lives(), clock);
    waiter.blocking([&] {
      if (clock.has_other_hosts()) {
        outcome.clock_error_us = worst(clock.settled_error(), world) * 1e6;
      }
      if (!found.simulated) outcome.cpu_s = sum(cpu_s, world);
      outcome.lives = collect_lives(lives, world);
      const bool any_end = hands.walkers.open_end || hands.walkers.enough.asked();
      if (any_end) count_executed_items(outcome.lives);
      const TeamCommunicators& teams = process.team_communicators();
      outcome.walker_communicators = largest(teams.created, world);
      outcome.walker_communicators_s = worst(teams.creating_s, world);
      const bool comparable = hands.walkers.reproducible;
      if (hands.walkers.has_state) {
        const std::string hash = hash_of(collect_chains(process.chains(), world));
        if (comparable) outcome.chains_hash = hash;
        outcome.hand_over_bytes = largest(process.carrier().state_bytes(), world);
        outcome.hand_over_s = sum(process.hand_over_s(), world);
      }
      if (const auto& monitor = process.reporting().monitor()) {
        outcome.reports = monitor->reports();
        outcome.enough_items = monitor->enough_items();
        if (comparable && outcome.enough_items > 0) outcome.chains_hash = hash_of(monitor->ends());
      }
    });
  }
  waiter.blocking([&] {
    outcome.communicators_alive_max =
        static_cast<int>(largest(site.communicators().alive_max, world));
    outcome.communicators_left = static_cast<int>(largest(site.communicators().alive, world));
  });
  return outcome;
}

void make_first_contact(Site& world) {
  constexpr int reach = 64;
  const int first = std::max(0, world.rank() - reach);
  const int last = std::min(world.size() - 1, world.rank() + reach);
  std::vector<MPI_Request> requests;
  for (int other = first; other <= last; ++other) {
    if (other == world.rank()) continue;
    MPI_Irecv(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
    MPI_Isend(nullptr, 0, MPI_BYTE, other, tag_contact, world.comm(), &requests.emplace_back());
  }
  for (MPI_Request& request : requests) world.waiter().wait(request);
}

}  // namespace regroup
